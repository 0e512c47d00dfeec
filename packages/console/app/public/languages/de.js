// The texts of the console in German, by the English ones.
globalThis.mintmarkTexts = {
  // components/actions.tsx
  'Actions for {name}': 'Aktionen für {name}',
  // components/audit/actors.ts
  'API key {name}': 'API-Schlüssel {name}',
  // components/audit/audit-log.tsx
  Export: 'Exportieren',
  'Search by the id of a record': 'Nach der ID eines Datensatzes suchen',
  Who: 'Wer',
  'Kind of record': 'Art des Datensatzes',
  Action: 'Aktion',
  From: 'Von',
  To: 'Bis',
  'To||wallet': 'An',
  'No entries yet': 'Noch keine Einträge',
  'An entry appears with the next change of a record, whoever makes it.':
    'Ein Eintrag erscheint bei der nächsten Änderung eines Datensatzes, egal von wem.',
  Record: 'Datensatz',
  Changes: 'Änderungen',
  When: 'Wann',
  Number: 'Nummer',
  // components/audit/entry-dialog.tsx
  Field: 'Feld',
  Before: 'Vorher',
  After: 'Nachher',
  'Entry {sequence}': 'Eintrag {sequence}',
  Hash: 'Hash',
  'No field changed.': 'Kein Feld geändert.',
  'All changes of this record': 'Alle Änderungen an diesem Datensatz',
  'All changes by the same': 'Alle Änderungen vom selben Akteur',
  // components/audit/entry-parts.tsx
  'and {others} more': 'und {others} weitere',
  // components/audit/export-log.tsx
  'Export the audit log': 'Änderungsprotokoll exportieren',
  'Saves the entries that match the filters as a file with one JSON object in each line, newest first. Values of very large changes are shortened; "mintmark-gateway audit export" has them whole.':
    'Speichert die Einträge, die zu den Filtern passen, als Datei mit einem JSON-Objekt pro Zeile, neueste zuerst. Werte sehr großer Änderungen sind gekürzt; „mintmark-gateway audit export“ liefert sie vollständig.',
  // components/audit/verification.tsx
  Verification: 'Prüfung',
  'Verify the log': 'Protokoll prüfen',
  'Computing the hash of every entry. This takes about a minute for a million entries.':
    'Der Hash jedes Eintrags wird berechnet. Bei einer Million Einträgen dauert das etwa eine Minute.',
  'The log was tampered with: entry {problemSequence} is wrong':
    'Das Protokoll wurde manipuliert: Eintrag {problemSequence} stimmt nicht',
  'The log has no entries yet.': 'Das Protokoll hat noch keine Einträge.',
  'The log is complete and unchanged: {quantity}':
    'Das Protokoll ist vollständig und unverändert: {quantity}',
  Head: 'Endstand',
  'Copy the head': 'Endstand kopieren',
  'Keep this text where nobody who runs the database can change it, such as in a mail to yourself or in a paper file, with the date. Whoever has all rights in the database could compute every hash again; then the log no longer contains the head that you kept. This command on the server compares it:':
    'Bewahren Sie diesen Text mit Datum dort auf, wo ihn niemand ändern kann, der die Datenbank betreibt, etwa in einer E-Mail an sich selbst oder auf Papier. Wer alle Rechte in der Datenbank hat, könnte jeden Hash neu berechnen; dann enthält das Protokoll den aufbewahrten Endstand nicht mehr. Dieser Befehl auf dem Server vergleicht ihn:',
  // components/badge.tsx
  Status: 'Status',
  // components/chart.tsx
  'The chart could not be loaded': 'Das Diagramm konnte nicht geladen werden',
  'Show the figures as a table': 'Zahlen als Tabelle anzeigen',
  // components/copy-button.tsx
  Copied: 'Kopiert',
  // components/data-table.tsx
  Time: 'Zeit',
  Actions: 'Aktionen',
  'Sort by {label}, descending': 'Absteigend nach {label} sortieren',
  'Sort by {label}, ascending': 'Aufsteigend nach {label} sortieren',
  // components/dialogs.tsx
  'Copy the {text}': '{text} kopieren',
  Done: 'Fertig',
  'Done||step': 'Erledigt',
  // components/export-dialog.tsx
  '{records} saved': '{records} gespeichert',
  '{records} read': '{records} gelesen',
  // components/field.tsx
  '(optional)': '(optional)',
  // components/figure.tsx
  '{change} against the period before': '{change} zum Vorzeitraum',
  // components/filters.tsx
  All: 'Alle',
  Filters: 'Filter',
  'Clear filters': 'Filter löschen',
  // components/minting/add-wallets-dialog.tsx
  'Add wallets to {phase}': 'Wallets zu {phase} hinzufügen',
  Addresses: 'Adressen',
  'One in each line. A limit can follow after a comma: 0x7099…79c8,2. You can paste a CSV file, or choose one below.':
    'Eine pro Zeile. Nach einem Komma kann ein Limit folgen: 0x7099…79c8,2. Sie können eine CSV-Datei einfügen oder unten eine auswählen.',
  'Enter at least one address.': 'Geben Sie mindestens eine Adresse ein.',
  '{done} of {count} are added.': '{done} von {count} hinzugefügt.',
  'Add {count, plural, one {# wallet} other {# wallets}}':
    '{count, plural, one {# Wallet} other {# Wallets}} hinzufügen',
  'CSV file': 'CSV-Datei',
  '{count, plural, one {# wallet is ready} other {# wallets are ready}}':
    '{count, plural, one {# Wallet ist bereit} other {# Wallets sind bereit}}',
  '{count, plural, one {# line is wrong and will not be added:} other {# lines are wrong and will not be added:}}':
    '{count, plural, one {# Zeile ist fehlerhaft und wird nicht hinzugefügt:} other {# Zeilen sind fehlerhaft und werden nicht hinzugefügt:}}',
  'Line {line}: {text} ({reason})': 'Zeile {line}: {text} ({reason})',
  'And {hidden} more.': 'Und {hidden} weitere.',
  // components/minting/mint-table.tsx
  Signed: 'Signiert',
  Minted: 'Gemintet',
  'Expired unused': 'Ungenutzt abgelaufen',
  Wallet: 'Wallet',
  Token: 'Token',
  'Collection’s token': 'Token der Kollektion',
  Units: 'Stückzahl',
  'Price of one': 'Stückpreis',
  Phase: 'Phase',
  Transaction: 'Transaktion',
  // components/minting/phase-form.tsx
  'Edit phase {name}': 'Phase {name} bearbeiten',
  'The phases are saved': 'Phasen gespeichert',
  Name: 'Name',
  'Identifies the phase. Another name makes another phase, with counts of its own.':
    'Kennzeichnet die Phase. Ein anderer Name ergibt eine neue Phase mit eigener Zählung.',
  Opens: 'Beginn',
  'In your time zone.': 'In Ihrer Zeitzone.',
  Closes: 'Ende',
  'In your time zone. Empty: when the next phase opens.':
    'In Ihrer Zeitzone. Leer: wenn die nächste Phase beginnt.',
  'Price of one token': 'Preis pro Token',
  '0 if minting is free.': '0, wenn das Minten kostenlos ist.',
  'How it is paid': 'Art der Zahlung',
  'Limit for all wallets together': 'Limit für alle Wallets zusammen',
  '0: no limit.': '0: kein Limit.',
  'Limit for each wallet': 'Limit pro Wallet',
  'Who may mint': 'Wer minten darf',
  'Merkle root': 'Merkle-Wurzel',
  'Of a tree that is kept elsewhere. Empty: the whitelist that is kept here.':
    'Eines Baums, der anderswo geführt wird. Leer: die hier geführte Whitelist.',
  // components/minting/phase-section.tsx
  'End and remove phase {name}?': 'Phase {name} beenden und entfernen?',
  'The phase ends at once. Its counts and its whitelist no longer apply. This cannot be undone. Signed mints stay valid until they expire.':
    'Die Phase endet sofort. Zählung und Whitelist gelten nicht mehr. Das kann nicht rückgängig gemacht werden. Signierte Mints bleiben gültig, bis sie ablaufen.',
  'End and remove': 'Beenden und entfernen',
  'Phase {name} is removed': 'Phase {name} entfernt',
  'Add phase': 'Phase hinzufügen',
  Phases: 'Phasen',
  'No phases yet': 'Noch keine Phasen',
  'Tokens can be minted only while a phase is open. Add the first one.':
    'Token können nur während einer offenen Phase gemintet werden. Fügen Sie die erste hinzu.',
  'Tokens can be minted only while a phase is open.':
    'Token können nur während einer offenen Phase gemintet werden.',
  Edit: 'Bearbeiten',
  '{from} to {endTime}': '{from} bis {endTime}',
  'From {from}': 'Ab {from}',
  Price: 'Preis',
  Free: 'Kostenlos',
  'Reserved and minted': 'Reserviert und gemintet',
  '{claimed}, no limit': '{claimed}, kein Limit',
  '{claimed} of {maxClaimable}': '{claimed} von {maxClaimable}',
  'For each wallet': 'Pro Wallet',
  'No limit': 'Kein Limit',
  'Open: {active}': 'Offen: {active}',
  'Open||store': 'Geöffnet',
  // components/minting/whitelist-lines.ts
  'the same wallet as in line {first}': 'dieselbe Wallet wie in Zeile {first}',
  'not an address of 0x and 40 hexadecimal digits': 'keine Adresse aus 0x und 40 Hexadezimalziffern',
  'the zero address belongs to no wallet': 'die Nulladresse gehört zu keiner Wallet',
  'the limit is not a whole number': 'das Limit ist keine ganze Zahl',
  // components/minting/whitelist-section.tsx
  Whitelist: 'Whitelist',
  'A whitelist belongs to a phase. Add a phase first.':
    'Eine Whitelist gehört zu einer Phase. Fügen Sie zuerst eine Phase hinzu.',
  'A whitelist belongs to a phase.': 'Eine Whitelist gehört zu einer Phase.',
  '{count, plural, one {# wallet} other {# wallets}} added to {phase}':
    '{count, plural, one {# Wallet} other {# Wallets}} zu {phase} hinzugefügt',
  'Remove {address} from the whitelist?': '{address} von der Whitelist entfernen?',
  'The wallet can no longer mint in phase {phase}. You can add it again.':
    'Die Wallet kann in Phase {phase} nicht mehr minten. Sie können sie wieder hinzufügen.',
  Remove: 'Entfernen',
  'The wallet is removed from the whitelist': 'Wallet von der Whitelist entfernt',
  'Add wallets': 'Wallets hinzufügen',
  Limit: 'Limit',
  'As in the phase': 'Wie in der Phase',
  Added: 'Hinzugefügt',
  'Remove {address}': '{address} entfernen',
  'No wallets on the whitelist': 'Keine Wallets auf der Whitelist',
  'In a phase for wallets on the whitelist, nobody can mint until you add wallets.':
    'In einer Phase für Wallets auf der Whitelist kann niemand minten, bis Sie Wallets hinzufügen.',
  'In a phase for wallets on the whitelist, nobody can mint at present.':
    'In einer Phase für Wallets auf der Whitelist kann zurzeit niemand minten.',
  // components/notice.tsx
  'Request id': 'Anfrage-ID',
  'Copy the request id': 'Anfrage-ID kopieren',
  // components/offers/offer-table.tsx
  Open: 'Offen',
  Accepted: 'Angenommen',
  Rejected: 'Abgelehnt',
  Cancelled: 'Storniert',
  Expired: 'Abgelaufen',
  'Price of all': 'Gesamtpreis',
  Expires: 'Läuft ab',
  Order: 'Bestellung',
  Cancel: 'Abbrechen',
  'Cancel||offer': 'Stornieren',
  Accept: 'Annehmen',
  Reject: 'Ablehnen',
  'Any token of {nftName}': 'Beliebiger Token von {nftName}',
  'Token id': 'Token-ID',
  'The offer is for any token of the collection. Enter the one to sell.':
    'Das Kaufangebot gilt für einen beliebigen Token der Kollektion. Geben Sie den Token ein, der verkauft wird.',
  Seller: 'Verkäufer',
  'The wallet that owns the token.': 'Die Wallet, der der Token gehört.',
  'Accept the offer for {offer}?': 'Kaufangebot für {offer} annehmen?',
  '{wallet} sells for {amount}. The token is reserved, and the buyer gets an order to pay. This cannot be taken back.':
    '{wallet} verkauft für {amount}. Der Token wird reserviert, und der Käufer erhält eine Bestellung zum Bezahlen. Das kann nicht rückgängig gemacht werden.',
  'Accept the offer': 'Kaufangebot annehmen',
  'The offer is accepted: order {orderNo}': 'Kaufangebot angenommen: Bestellung {orderNo}',
  'Reject the offer for {offer}?': 'Kaufangebot für {offer} ablehnen?',
  'The buyer has to make a new offer. This cannot be undone.':
    'Der Käufer muss ein neues Kaufangebot abgeben. Das kann nicht rückgängig gemacht werden.',
  'The offer is rejected': 'Kaufangebot abgelehnt',
  'Cancel the offer for {offer}?': 'Kaufangebot für {offer} stornieren?',
  'The owner can no longer accept it. This cannot be undone.':
    'Der Inhaber kann es nicht mehr annehmen. Das kann nicht rückgängig gemacht werden.',
  'Cancel the offer': 'Kaufangebot stornieren',
  'Keep the offer': 'Kaufangebot behalten',
  'The offer is cancelled': 'Kaufangebot storniert',
  // components/order-columns.tsx
  Item: 'Artikel',
  Amount: 'Betrag',
  Buyer: 'Käufer',
  Placed: 'Aufgegeben',
  'Unnamed token': 'Unbenannter Token',
  // components/order-status.tsx
  'Waits for payment': 'Wartet auf Zahlung',
  Confirming: 'Wird bestätigt',
  Paid: 'Bezahlt',
  Failed: 'Fehlgeschlagen',
  'Needs a decision': 'Entscheidung nötig',
  'Refund due': 'Erstattung fällig',
  // components/page-header.tsx
  Facilitator: 'Facilitator',
  Operator: 'Betreiber',
  // components/pagination.tsx
  None: 'Keine',
  'None||price': 'Keiner',
  'None||entries': '0',
  Pages: 'Seiten',
  '{range} of {total}': '{range} von {total}',
  Previous: 'Zurück',
  Next: 'Weiter',
  Newest: 'Neueste',
  Older: 'Ältere',
  // components/person.tsx
  You: 'Sie',
  'Not signed in': 'Nicht angemeldet',
  // components/qr-code.tsx
  'QR code of {label}': 'QR-Code: {label}',
  // components/record-page.tsx
  Refresh: 'Aktualisieren',
  // components/show-invitation-link.ts
  'Invitation of {email}': 'Einladung für {email}',
  Link: 'Link',
  'It is shown only once, and works for seven days. Whoever opens it can set the password of the account.':
    'Er wird nur einmal angezeigt und gilt sieben Tage. Wer ihn öffnet, kann das Passwort des Kontos festlegen.',
  'Sent to {email}. You can also copy the link.': 'An {email} gesendet. Sie können den Link auch kopieren.',
  'Send this link to the person now': 'Senden Sie der Person jetzt diesen Link',
  'The mail to {email} could not be sent. {advice}':
    'Die E-Mail an {email} konnte nicht gesendet werden. {advice}',
  // components/technical-details.tsx
  'Technical details': 'Technische Details',
  '{amount} base units of {token}': '{amount} Basiseinheiten von {token}',
  // components/toast.tsx
  Notifications: 'Benachrichtigungen',
  Dismiss: 'Schließen',
  // components/transfer-section.tsx
  Transfers: 'Übertragungen',
  Quantity: 'Menge',
  'No transfers yet': 'Noch keine Übertragungen',
  'Sales and transfers on the chain appear here.':
    'Verkäufe und Übertragungen auf der Blockchain erscheinen hier.',
  // components/undo-scan.ts
  Reason: 'Grund',
  'Undo the scan of {name}?': 'Scan von {name} zurücknehmen?',
  'The card is as it was before the scan. Both stay in the list of its scans.':
    'Die Karte ist dann wieder wie vor dem Scan. In der Liste der Scans bleibt beides stehen.',
  'The scan is undone': 'Scan zurückgenommen',
  // form/event-type-options.ts
  'All of {group}.*': 'Alle von {group}.*',
  // form/form-values.ts
  'Choose a time after “{label}”': 'Wählen Sie einen Zeitpunkt nach „{label}“',
  'Line {line}: enter a name, a colon and a value, as in paper: cotton':
    'Zeile {line}: Geben Sie einen Namen, einen Doppelpunkt und einen Wert ein, etwa Papier: Baumwolle',
  'Enter a whole number': 'Geben Sie eine ganze Zahl ein',
  'Enter at least {min}': 'Geben Sie mindestens {min} ein',
  'Enter a number such as {example}, with at most 9 decimals':
    'Geben Sie eine Zahl wie {example} mit höchstens 9 Nachkommastellen ein',
  'Enter an address that begins with https://': 'Geben Sie eine Adresse ein, die mit https:// beginnt',
  'Enter a date and a time': 'Geben Sie Datum und Uhrzeit ein',
  'Enter an address: 0x and 40 hexadecimal digits':
    'Geben Sie eine Adresse ein: 0x und 40 Hexadezimalziffern',
  'Enter an amount with at most {decimals} decimals. Write a comma before them, not a point':
    'Geben Sie einen Betrag mit höchstens {decimals} Nachkommastellen ein. Trennen Sie sie mit einem Komma ab, nicht mit einem Punkt',
  'Enter an amount with at most {decimals} decimals. Write a point before them, not a comma':
    'Geben Sie einen Betrag mit höchstens {decimals} Nachkommastellen ein. Trennen Sie sie mit einem Punkt ab, nicht mit einem Komma',
  // form/hash-field.ts
  '0x and 64 hexadecimal digits.': '0x und 64 Hexadezimalziffern.',
  'Enter a transaction: 0x and 64 hexadecimal digits':
    'Geben Sie eine Transaktion ein: 0x und 64 Hexadezimalziffern',
  // form/nft-fields.ts
  Image: 'Bild',
  'An address that begins with https://.': 'Eine Adresse, die mit https:// beginnt.',
  Metadata: 'Metadaten',
  'The address that the contract returns as tokenURI.':
    'Die Adresse, die der Smart Contract als tokenURI zurückgibt.',
  Properties: 'Eigenschaften',
  'One in each line: a name, a colon and a value, as in paper: cotton.':
    'Eine pro Zeile: Name, Doppelpunkt und Wert, etwa Papier: Baumwolle.',
  'Royalty in percent': 'Tantieme in Prozent',
  'Of each resale: 0 to 100.': 'Bei jedem Weiterverkauf: 0 bis 100.',
  // form/operation-form.tsx
  Preview: 'Vorschau',
  'These values are not valid:': 'Diese Werte sind ungültig:',
  // form/pay-token-fields.ts
  'Another ERC-20 token': 'Anderer ERC-20-Token',
  'Paid in': 'Zahlbar in',
  'Address of the token': 'Adresse des Tokens',
  '{label}, in base units': '{label}, in Basiseinheiten',
  'The console does not know the decimals of this token, so enter a whole number: 1000000 is 1 of a token with 6 decimals.':
    'Die Nachkommastellen dieses Tokens sind nicht bekannt. Geben Sie deshalb eine ganze Zahl ein: 1000000 ist 1 bei einem Token mit 6 Nachkommastellen.',
  // form/picture-field.tsx
  'Upload a file for “{label}”': 'Datei für „{label}“ hochladen',
  'Or drop a PNG, JPEG, WebP or GIF of up to 5 MB here.':
    'Oder PNG, JPEG, WebP oder GIF bis 5 MB hier ablegen.',
  'The picture is being uploaded…': 'Das Bild wird hochgeladen…',
  'The picture is uploaded.': 'Das Bild ist hochgeladen.',
  'Wait until the picture is uploaded, then try again':
    'Warten Sie, bis das Bild hochgeladen ist, und versuchen Sie es noch einmal',
  'The file is larger than 5 MB. Choose a smaller picture':
    'Die Datei ist größer als 5 MB. Wählen Sie ein kleineres Bild',
  // form/use-new-password.tsx
  'At least 12 characters. A sentence is easy to remember.':
    'Mindestens 12 Zeichen. Ein Satz ist leicht zu merken.',
  'Use at least 12 characters': 'Verwenden Sie mindestens 12 Zeichen',
  'The passwords differ': 'Die Passwörter stimmen nicht überein',
  // format/actor.ts
  'API key {id}': 'API-Schlüssel {id}',
  'publishable key {id}': 'veröffentlichbarer Schlüssel {id}',
  'person {id}': 'Person {id}',
  'the job “{id}”': 'Job „{id}“',
  'the command {id}': 'Befehl {id}',
  'the server': 'Server',
  unknown: 'unbekannt',
  // format/chains.ts
  'Development chain': 'Entwicklungs-Blockchain',
  'Chain {chainId}': 'Blockchain {chainId}',
  // format/device.ts
  'Unknown device': 'Unbekanntes Gerät',
  '{browser} on {system}': '{browser} auf {system}',
  // format/number.ts
  'no change': 'unverändert',
  // format/time.ts
  'just now': 'gerade eben',
  '{minutes} min': '{minutes} Min.',
  '{seconds} s': '{seconds} Sek.',
  '{hours} h': '{hours} Std.',
  '{days} d': '{days} T',
  // layout/account-menu.tsx
  'Account of {name}': 'Konto von {name}',
  'Account settings': 'Kontoeinstellungen',
  'Sign out': 'Abmelden',
  'You are still signed in': 'Sie sind noch angemeldet',
  // layout/area-guard.tsx
  'Only operators of this server see this page': 'Nur Betreiber dieses Servers sehen diese Seite',
  'The person who runs the server can make you an operator.':
    'Wer den Server verwaltet, kann Sie zum Betreiber machen.',
  'No facilitator is connected to this server': 'Mit diesem Server ist kein Facilitator verbunden',
  'The settings FACILITATOR_URL and FACILITATOR_OPERATOR_TOKEN connect one.':
    'Die Einstellungen FACILITATOR_URL und FACILITATOR_OPERATOR_TOKEN verbinden einen.',
  'You have no project yet': 'Sie haben noch kein Projekt',
  'Ask an owner of a project to invite you.': 'Bitten Sie den Inhaber eines Projekts um eine Einladung.',
  // layout/member-layout.tsx
  'This project is not one of yours': 'Dieses Projekt gehört nicht zu Ihren Projekten',
  'Choose a project, or ask one of its owners to invite you.':
    'Wählen Sie ein Projekt, oder bitten Sie einen der Inhaber um eine Einladung.',
  // layout/not-found.tsx
  'There is no such page': 'Diese Seite gibt es nicht',
  'Check the address, or go to the overview.': 'Prüfen Sie die Adresse, oder gehen Sie zur Startseite.',
  'Go to the overview': 'Zur Startseite',
  // layout/project-menu.tsx
  'Project {projectName}. Choose another one': 'Projekt {projectName}. Anderes wählen',
  // layout/session-end.tsx
  'Load the page again': 'Seite neu laden',
  'The sign-in could not be loaded': 'Die Anmeldung konnte nicht geladen werden',
  'Load the page again to sign in. What you entered is discarded.':
    'Laden Sie die Seite neu, um sich anzumelden. Ihre Eingaben werden verworfen.',
  // layout/shell.tsx
  'Skip to content': 'Zum Inhalt springen',
  'Close the menu': 'Menü schließen',
  'You are offline. What you see may be out of date.':
    'Sie sind offline. Die Anzeige ist vielleicht nicht aktuell.',
  // layout/shortcut-help.tsx
  'Go to {label}': '{label} öffnen',
  'Focus the search': 'In das Suchfeld springen',
  'Search the project and find a page': 'Im Projekt suchen und Seiten finden',
  'Close a dialog or a menu': 'Dialog oder Menü schließen',
  'Keyboard shortcuts': 'Tastenkürzel',
  // biome-ignore lint/suspicious/noThenProperty: The text between two keys of a shortcut.
  then: 'dann',
  // layout/sidebar.tsx
  Menu: 'Menü',
  // layout/theme-select.tsx
  Theme: 'Darstellung',
  Language: 'Sprache',
  // navigation/items.ts
  Work: 'Tagesgeschäft',
  Home: 'Startseite',
  Reports: 'Berichte',
  Cards: 'Karten',
  Scanner: 'Scanner',
  Campaigns: 'Kampagnen',
  Stores: 'Filialen',
  Sales: 'Verkäufe',
  Orders: 'Bestellungen',
  Market: 'Marktplatz',
  'Lazy minting': 'Lazy Minting',
  Tokens: 'Token',
  Contracts: 'Smart Contracts',
  Wallets: 'Wallets',
  Developers: 'Entwickler',
  Events: 'Ereignisse',
  Webhooks: 'Webhooks',
  'API explorer': 'API-Explorer',
  'API keys': 'API-Schlüssel',
  Settings: 'Einstellungen',
  People: 'Personen',
  'Audit log': 'Änderungsprotokoll',
  Health: 'Systemzustand',
  Projects: 'Projekte',
  Operators: 'Betreiber',
  'Stuck orders': 'Hängende Bestellungen',
  'Stuck mints': 'Hängende Mints',
  'Server audit log': 'Server-Änderungsprotokoll',
  'Facilitator health': 'Zustand des Facilitators',
  Accounts: 'Konten',
  Settlements: 'Abwicklungen',
  Channels: 'Kanäle',
  'Sponsored approvals': 'Gesponserte Freigaben',
  Reverts: 'Reverts',
  Ledger: 'Hauptbuch',
  // pages/account/account-page.tsx
  Account: 'Konto',
  'Email address': 'E-Mail-Adresse',
  // pages/account/backup-codes-dialog.tsx
  'Keep your backup codes': 'Bewahren Sie Ihre Backup-Codes auf',
  'Each code signs you in once when your phone is not at hand. They are shown only now.':
    'Mit jedem Code können Sie sich einmal anmelden, wenn Sie Ihr Telefon nicht zur Hand haben. Die Codes werden nur jetzt angezeigt.',
  'Copy all codes': 'Alle Codes kopieren',
  'I have stored them': 'Ich habe sie gespeichert',
  // pages/account/devices-section.tsx
  Device: 'Gerät',
  'This device': 'Dieses Gerät',
  Address: 'Adresse',
  'Last used': 'Zuletzt verwendet',
  Since: 'Seit',
  'The device is signed out': 'Gerät abgemeldet',
  'All other devices are signed out': 'Alle anderen Geräte abgemeldet',
  'Sign out all others': 'Alle anderen abmelden',
  'Sign out {device}': '{device} abmelden',
  // pages/account/passkeys-section.tsx
  Passkey: 'Passkey',
  'A passkey signs you in with the lock of your device: a fingerprint, your face or a PIN. It replaces the password and the second factor.':
    'Mit einem Passkey melden Sie sich über die Sperre Ihres Geräts an: Fingerabdruck, Gesicht oder PIN. Er ersetzt das Passwort und den zweiten Faktor.',
  'This browser does not support passkeys.': 'Dieser Browser unterstützt keine Passkeys.',
  'You have no passkeys.': 'Sie haben keine Passkeys.',
  'Remove {name}': '{name} entfernen',
  'The passkey is added': 'Passkey hinzugefügt',
  'How you recognize the device, such as Work laptop.': 'Woran Sie das Gerät erkennen, etwa Laptop im Büro.',
  'The passkey is removed': 'Passkey entfernt',
  'Remove {name}?': '{name} entfernen?',
  'You can no longer sign in with it. Remove it from your device too.':
    'Sie können sich damit nicht mehr anmelden. Entfernen Sie ihn auch von Ihrem Gerät.',
  // pages/account/password-dialog.tsx
  Password: 'Passwort',
  // pages/account/password-section.tsx
  'New password': 'Neues Passwort',
  'Repeat the new password': 'Neues Passwort wiederholen',
  'Your password is changed': 'Passwort geändert',
  'Current password': 'Aktuelles Passwort',
  'Change password': 'Passwort ändern',
  'Other devices are signed out.': 'Andere Geräte sind abgemeldet.',
  // pages/account/second-factor-section.tsx
  'The second factor is on': 'Der zweite Faktor ist eingeschaltet',
  'Turn off the second factor?': 'Zweiten Faktor ausschalten?',
  'Then your password alone is enough to sign in.': 'Danach genügt zum Anmelden Ihr Passwort.',
  'The second factor is off': 'Der zweite Faktor ist ausgeschaltet',
  'Second factor': 'Zweiter Faktor',
  On: 'Ein',
  Off: 'Aus',
  'After the password, the sign-in asks for a code of an authenticator app on your phone.':
    'Nach dem Passwort fragt die Anmeldung nach einem Code aus einer Authentifizierungs-App auf Ihrem Telefon.',
  // pages/account/turn-on-dialog.tsx
  'Scan this code with your authenticator app': 'Scannen Sie diesen Code mit Ihrer Authentifizierungs-App',
  'the key for your authenticator app': 'Schlüssel für Ihre Authentifizierungs-App',
  'Or enter this key:': 'Oder geben Sie diesen Schlüssel ein:',
  'Copy the key': 'Schlüssel kopieren',
  Code: 'Code',
  'Enter the six digits that the app shows now.':
    'Geben Sie die sechs Ziffern ein, die die App jetzt anzeigt.',
  // pages/audit/audit-page.tsx
  'Every change of a record in this project: who made it, when, and each field before and after.':
    'Jede Änderung eines Datensatzes in diesem Projekt: von wem, wann und jedes Feld vorher und nachher.',
  // pages/cards/campaigns/campaign-page.tsx
  'This campaign does not exist': 'Diese Kampagne gibt es nicht',
  'It belongs to another project.': 'Sie gehört zu einem anderen Projekt.',
  'No cards are issued yet': 'Noch keine Karten ausgestellt',
  'Issue them, then print or export their QR codes.':
    'Stellen Sie Karten aus, und drucken oder exportieren Sie dann die QR-Codes.',
  '{issued} of {requested} cards are issued': '{issued} von {requested} Karten ausgestellt',
  'Issue cards': 'Karten ausstellen',
  Pause: 'Pausieren',
  'Its cards are refused at the counter until you resume it.':
    'Die Karten werden an der Kasse abgelehnt, bis Sie die Kampagne fortsetzen.',
  Resume: 'Fortsetzen',
  'Its cards are accepted again.': 'Die Karten werden wieder angenommen.',
  End: 'Beenden',
  'Its cards are refused for good, and no others are issued. This cannot be undone.':
    'Die Karten werden endgültig abgelehnt, und es werden keine weiteren ausgestellt. Das kann nicht rückgängig gemacht werden.',
  'Number of cards': 'Anzahl der Karten',
  'How many to issue now.': 'Wie viele jetzt ausgestellt werden.',
  '{requested} of {cards} cards are requested': '{requested} von {cards} Karten angefordert',
  Recipients: 'Empfänger',
  'A name or customer number on each line, at most 500. A person who has a card of this campaign gets no other.':
    'Ein Name oder eine Kundennummer pro Zeile, höchstens 500. Wer schon eine Karte dieser Kampagne hat, erhält keine weitere.',
  'Issue cards to people': 'Karten an Personen ausstellen',
  '{issued} of {cards} cards are issued': '{issued} von {cards} Karten ausgestellt',
  'Show its cards': 'Karten anzeigen',
  'Issue to people': 'An Personen ausstellen',
  Day: 'Tag',
  Store: 'Filiale',
  Totals: 'Summen',
  Issued: 'Ausgestellt',
  '{issued} of {cards}': '{issued} von {cards}',
  'Valid now': 'Jetzt gültig',
  'Nobody has scanned its cards yet.': 'Karten dieser Kampagne wurden noch nicht gescannt.',
  // pages/cards/campaigns/campaigns-page.tsx
  'Many cards of one kind, each with a code of its own. You can pause or end all of them at once.':
    'Viele Karten einer Art, jede mit eigenem Code. Sie können alle auf einmal pausieren oder beenden.',
  'Create campaign': 'Kampagne erstellen',
  Created: 'Erstellt',
  'No campaigns yet': 'Noch keine Kampagnen',
  'Create one, such as 500 free coffees for an opening.':
    'Erstellen Sie eine, etwa 500 Gratis-Kaffees zur Eröffnung.',
  'Campaigns appear here when a manager creates them.':
    'Kampagnen erscheinen hier, sobald ein Manager sie erstellt.',
  // pages/cards/campaigns/new-campaign-page.tsx
  'Name of the campaign': 'Name der Kampagne',
  'Only your team reads it.': 'Nur Ihr Team liest ihn.',
  'Maximum number of cards': 'Höchstzahl der Karten',
  'How many cards can be issued, at most 1,000,000.':
    'Wie viele Karten ausgestellt werden können, höchstens 1.000.000.',
  'Kind of cards': 'Art der Karten',
  '{name} is created': '{name} erstellt',
  // pages/cards/card-editor-page.tsx
  'Edit card': 'Karte bearbeiten',
  'Edit {name}': '{name} bearbeiten',
  'The card is changed': 'Karte geändert',
  // pages/cards/card-fields.ts
  'The guest is checked in': 'Der Gast ist eingecheckt',
  'Clear it to let the guest in once more, for example after a mistake.':
    'Nehmen Sie den Haken weg, um den Gast noch einmal einzulassen, etwa nach einem Versehen.',
  Level: 'Stufe',
  'Such as Gold.': 'Zum Beispiel Gold.',
  'What one card represents, in a unit of your choice, such as 12.5.':
    'Was eine Karte wert ist, in einer Einheit Ihrer Wahl, etwa 12,5.',
  Picture: 'Bild',
  'A picture of the occasion: its address (https), or a file.':
    'Ein Bild vom Anlass: Adresse (https) oder Datei.',
  // pages/cards/card-history.tsx
  'Changes of the card': 'Änderungen der Karte',
  'Owners and auditors see every change here.': 'Inhaber und Prüfer sehen hier jede Änderung.',
  Removed: 'Entfernt',
  Changed: 'Geändert',
  'By {actor}': 'Von: {actor}',
  // pages/cards/card-page.tsx
  'From now on it is refused at the counter, and its page is gone. This cannot be undone. Its scans stay in the history.':
    'Ab sofort wird sie an der Kasse abgelehnt, und ihre Seite gibt es nicht mehr. Das kann nicht rückgängig gemacht werden. Die Scans bleiben im Verlauf.',
  '{name} is removed': '{name} entfernt',
  'Copy the code': 'Code kopieren',
  Download: 'Herunterladen',
  Print: 'Drucken',
  'Open the page of the card': 'Seite der Karte öffnen',
  'Copy the link': 'Link kopieren',
  'Whoever has the code has the card.': 'Wer den Code hat, hat die Karte.',
  'Only owners and managers see the QR code': 'Nur Inhaber und Manager sehen den QR-Code',
  'To redeem the card, scan the code that its holder shows.':
    'Um die Karte einzulösen, scannen Sie den Code, den der Karteninhaber zeigt.',
  'This card has a QR code of its own': 'Diese Karte hat einen eigenen QR-Code',
  'Its creator has set the address of a picture. The code of the card is only in that picture.':
    'Bei der Erstellung wurde die Adresse eines Bilds angegeben. Nur dieses Bild enthält den Code der Karte.',
  Supply: 'Auflage',
  'All stores': 'Alle Filialen',
  'Your reference': 'Ihre Referenz',
  Chain: 'Blockchain',
  // pages/cards/card-preview.tsx
  'The QR code is made when the card is created.': 'Der QR-Code entsteht, wenn die Karte erstellt wird.',
  'The QR code stays the same.': 'Der QR-Code bleibt gleich.',
  'Name of the card': 'Name der Karte',
  // pages/cards/card-status.tsx
  Active: 'Aktiv',
  Paused: 'Pausiert',
  Ended: 'Beendet',
  // pages/cards/card.ts
  '{usedCount} of {total} used': '{usedCount} von {total} genutzt',
  'Checked in': 'Eingecheckt',
  'Not checked in': 'Nicht eingecheckt',
  'No level': 'Keine Stufe',
  // pages/cards/cards-page.tsx
  'Create card': 'Karte erstellen',
  'Print QR codes': 'QR-Codes drucken',
  Import: 'Importieren',
  'Kinds of cards': 'Kartenarten',
  'Search by name': 'Nach Namen suchen',
  'Valid from': 'Gültig ab',
  'Valid until': 'Gültig bis',
  'No cards yet': 'Noch keine Karten',
  'Create a card, or import many from a CSV file.':
    'Erstellen Sie eine Karte, oder importieren Sie viele aus einer CSV-Datei.',
  'Cards appear here when a manager creates them.':
    'Karten erscheinen hier, sobald ein Manager sie erstellt.',
  // pages/cards/export-cards.tsx
  'Export cards': 'Karten exportieren',
  '{count, plural, one {# card} other {# cards}}': '{count, plural, one {# Karte} other {# Karten}}',
  'Saves all cards of this kind as a CSV file, which spreadsheets open.':
    'Speichert alle Karten dieser Art als CSV-Datei für eine Tabellenkalkulation.',
  'Saves the cards that the search and the status select as a CSV file, which spreadsheets open.':
    'Speichert die nach Suche und Status gewählten Karten als CSV-Datei für eine Tabellenkalkulation.',
  'The file contains the links of the cards': 'Die Datei enthält die Links der Karten',
  'Whoever has the link of a card has the card. Keep the file where only your team reads it.':
    'Wer den Link einer Karte hat, hat die Karte. Bewahren Sie die Datei dort auf, wo nur Ihr Team sie liest.',
  // pages/cards/import/csv-record.ts
  'Line {line}: {problem}': 'Zeile {line}: {problem}',
  // pages/cards/import/failed-rows.ts
  'It is not known whether the row was imported': 'Es ist nicht bekannt, ob die Zeile importiert wurde',
  Row: 'Zeile',
  // pages/cards/import/file-step.tsx
  File: 'Datei',
  'Reading the file': 'Die Datei wird gelesen',
  'Choose a file': 'Datei auswählen',
  'Choose another file': 'Andere Datei auswählen',
  'Download a template': 'Vorlage herunterladen',
  'From a spreadsheet: save it as CSV (UTF-8). At most 20 MB and 50,000 rows.':
    'Aus einer Tabellenkalkulation als CSV (UTF-8) speichern. Höchstens 20 MB und 50.000 Zeilen.',
  // pages/cards/import/import-fields.ts
  'not imported because': 'nicht importiert, weil',
  // pages/cards/import/import-page.tsx
  'Import {cards}': '{cards} importieren',
  'Creates a card for each row of a CSV file. The first row names the columns.':
    'Erstellt für jede Zeile einer CSV-Datei eine Karte. Die erste Zeile benennt die Spalten.',
  // pages/cards/import/import-report.tsx
  Result: 'Ergebnis',
  'See the cards': 'Karten ansehen',
  'They were sent more than 23 hours ago without an answer. Look in the list of cards before you import them again.':
    'Diese Zeilen wurden vor mehr als 23 Stunden ohne Antwort gesendet. Sehen Sie in der Kartenliste nach, bevor Sie sie noch einmal importieren.',
  'Download them, correct them, and import that file.':
    'Laden Sie diese Zeilen herunter, korrigieren Sie sie, und importieren Sie die korrigierte Datei.',
  'Download the rows that failed': 'Fehlgeschlagene Zeilen herunterladen',
  Line: 'Zeile',
  'Line {line}': 'Zeile {line}',
  Problem: 'Problem',
  'Rows that were not imported': 'Nicht importierte Zeilen',
  '{count} more problems are in the file of failed rows.':
    '{count} weitere Probleme stehen in der Datei der fehlgeschlagenen Zeilen.',
  // pages/cards/import/import-rows.ts
  'The row has {count} cells, and the first row has {columnCount}':
    'Die Zeile hat {count} Zellen, die erste Zeile hat {columnCount}',
  'The end must be after the start': 'Das Ende muss nach dem Beginn liegen',
  'Enter a value': 'Geben Sie einen Wert ein',
  'Enter a whole number from 1': 'Geben Sie eine ganze Zahl ab 1 ein',
  'Enter a number such as 12.5': 'Geben Sie eine Zahl wie 12.5 ein (mit Punkt)',
  'Enter yes or no': 'Geben Sie ja oder nein ein',
  'Enter a date such as 2026-12-31, or a time such as 2026-12-31 18:00':
    'Geben Sie ein Datum wie 2026-12-31 oder einen Zeitpunkt wie 2026-12-31 18:00 ein',
  // pages/cards/import/import-steps.tsx
  'This file was imported on {finishedAt}': 'Diese Datei wurde am {finishedAt} importiert',
  'Importing it once more creates its cards a second time.':
    'Ein erneuter Import erstellt die Karten ein zweites Mal.',
  'Import it once more': 'Erneut importieren',
  'This file was begun before': 'Diese Datei wurde schon begonnen',
  'The import continues: rows that are imported are not imported again.':
    'Der Import geht weiter: Bereits importierte Zeilen werden nicht noch einmal importiert.',
  Check: 'Prüfung',
  'No row can be imported. Assign the columns, or correct the file.':
    'Keine Zeile kann importiert werden. Ordnen Sie die Spalten zu, oder korrigieren Sie die Datei.',
  'They are left out. You can download them after the import, correct them, and import that file.':
    'Diese Zeilen werden ausgelassen. Nach dem Import können Sie sie herunterladen, korrigieren und die korrigierte Datei importieren.',
  'In this browser, equal rows of another file were imported, or sent without an answer. A corrected file usually contains them again.':
    'In diesem Browser wurden gleiche Zeilen aus einer anderen Datei importiert oder ohne Antwort gesendet. Eine korrigierte Datei enthält sie meist noch einmal.',
  'Lines {shown} and {others} more': 'Zeilen {shown} und {others} weitere',
  'Lines {shown}': 'Zeilen {shown}',
  'Import all {good}': 'Alle {good} importieren',
  'Import nothing': 'Nichts importieren',
  'Import the other {good}': 'Die anderen {good} importieren',
  '{done} of {count} rows done': '{done} von {count} Zeilen erledigt',
  Stop: 'Anhalten',
  'The import has stopped': 'Der Import wurde angehalten',
  'Continue it here, or later with the same file. Rows that are imported are not imported again.':
    'Setzen Sie ihn hier fort oder später mit derselben Datei. Bereits importierte Zeilen werden nicht noch einmal importiert.',
  Continue: 'Weiter',
  'Continue||import': 'Fortsetzen',
  // pages/cards/import/mapping-table.tsx
  Columns: 'Spalten',
  'Say which column has which field. A field can have the same value in all rows.':
    'Ordnen Sie die Spalten den Feldern zu. Ein Feld kann in allen Zeilen denselben Wert haben.',
  '(required)': '(erforderlich)',
  'Source of {label}': 'Quelle von {label}',
  'Not in the file': 'Nicht in der Datei',
  'The same for all rows': 'In allen Zeilen gleich',
  'Value of {label} in all rows': 'Wert von {label} in allen Zeilen',
  // pages/cards/print-page.tsx
  '24 QR codes on each page, with lines to cut. Print without scaling.':
    '24 QR-Codes pro Seite, mit Schnittlinien. Drucken Sie ohne Skalierung.',
  Paper: 'Papier',
  'Copies of each card': 'Exemplare jeder Karte',
  'No cards to print': 'Keine Karten zu drucken',
  'Choose another search or status in the list of cards.':
    'Wählen Sie in der Kartenliste eine andere Suche oder einen anderen Status.',
  'Page {number}': 'Seite {number}',
  'Previous part': 'Vorheriger Teil',
  'Next part': 'Nächster Teil',
  'Valid until {endTime}': 'Gültig bis {endTime}',
  // pages/cards/verification-section.tsx
  Undo: 'Zurücknehmen',
  'Undo||badge': 'Rücknahme',
  Refused: 'Abgelehnt',
  'Scanned by': 'Gescannt von',
  Redeem: 'Einlösen',
  'Check in': 'Einchecken',
  Scans: 'Scans',
  'the scan of {createTime}': 'Scan vom {createTime}',
  'Nobody has scanned this card yet': 'Diese Karte wurde noch nicht gescannt',
  // pages/contracts/contract-forms.ts
  Symbol: 'Symbol',
  'Such as PRINT.': 'Zum Beispiel PRINT.',
  Owner: 'Inhaber',
  'The wallet that created the collection.': 'Die Wallet, die die Kollektion erstellt hat.',
  Category: 'Kategorie',
  'Your own word, such as collection.': 'Frei wählbar, etwa Kollektion.',
  Description: 'Beschreibung',
  'For adults only': 'Nur für Erwachsene',
  'What buyers see, at most 200 characters.': 'Was Käufer sehen, höchstens 200 Zeichen.',
  'The address of the contract on its chain.': 'Die Adresse des Smart Contracts auf seiner Blockchain.',
  'Chain id': 'Chain-ID',
  'A number, such as 8453 for Base.': 'Eine Zahl, etwa 8453 für Base.',
  'Type of the tokens': 'Typ der Token',
  'Follow transfers on the chain': 'Übertragungen auf der Blockchain verfolgen',
  'The chain then determines who owns the tokens. This cannot be changed later. Without it, ownership changes only by sales here.':
    'Dann bestimmt die Blockchain, wem die Token gehören. Das kann später nicht geändert werden. Sonst ändert sich der Inhaber nur durch Verkäufe hier.',
  'Add it even if the gateway cannot read the chain':
    'Auch hinzufügen, wenn das Gateway die Blockchain nicht lesen kann',
  'Tokens cannot be sold or minted until an operator connects the chain.':
    'Token können erst verkauft oder gemintet werden, wenn ein Betreiber die Blockchain verbindet.',
  'Add contract': 'Smart Contract hinzufügen',
  '{name} is added': '{name} hinzugefügt',
  Save: 'Speichern',
  '{name} is saved': '{name} gespeichert',
  // pages/contracts/contract-page.tsx
  'The contract disappears from the project, not from the chain. It can only be removed while it has no NFTs and nobody owns its tokens.':
    'Der Smart Contract verschwindet aus dem Projekt, nicht von der Blockchain. Er kann nur entfernt werden, solange er keine NFTs hat und niemandem seine Token gehören.',
  'Show all NFTs': 'Alle NFTs anzeigen',
  'No NFTs yet': 'Noch keine NFTs',
  'Add an NFT, or let buyers mint them.': 'Fügen Sie ein NFT hinzu, oder lassen Sie Käufer sie minten.',
  'The NFTs of this contract appear here.': 'Die NFTs dieses Smart Contracts erscheinen hier.',
  // pages/contracts/contracts-page.tsx
  'The contracts whose tokens the project sells and mints.':
    'Die Smart Contracts, deren Token das Projekt verkauft und mintet.',
  'Search by name, symbol or address': 'Nach Name, Symbol oder Adresse suchen',
  Type: 'Typ',
  'No contracts yet': 'Noch keine Smart Contracts',
  'Add the contract of your collection. Then its NFTs can be added, sold and minted.':
    'Fügen Sie den Smart Contract Ihrer Kollektion hinzu. Dann können Sie seine NFTs hinzufügen, verkaufen und minten.',
  'The contracts of the project’s collections appear here.':
    'Die Smart Contracts der Kollektionen des Projekts erscheinen hier.',
  // pages/contracts/indexing-section.tsx
  Indexing: 'Indexierung',
  'Only operators see how far indexing is': 'Nur Betreiber sehen den Stand der Indexierung',
  'If owners look out of date, ask an operator to check the health of the chain.':
    'Wenn die Inhaber nicht aktuell wirken, bitten Sie einen Betreiber, den Zustand der Blockchain zu prüfen.',
  'This gateway does not read the chain, so its tokens cannot be sold or minted.':
    'Dieses Gateway liest die Blockchain nicht. Deshalb können ihre Token nicht verkauft oder gemintet werden.',
  'Newest block': 'Neuester Block',
  'Chain cannot be read': 'Blockchain nicht lesbar',
  'No contract of this chain is indexed, so transfers outside of this shop are not seen.':
    'Kein Smart Contract dieser Blockchain wird indexiert. Deshalb werden Übertragungen außerhalb dieses Shops nicht bemerkt.',
  Behind: 'Im Rückstand',
  'Up to date': 'Aktuell',
  'Blocks behind': 'Blöcke im Rückstand',
  'Time behind': 'Zeitlicher Rückstand',
  // pages/events/event-dialog.tsx
  'There is no such event': 'Dieses Ereignis gibt es nicht',
  'It may have been deleted because of its age.': 'Vielleicht wurde es wegen seines Alters gelöscht.',
  'Event {type}': 'Ereignis {type}',
  Subject: 'Bezug',
  'Number in the feed': 'Laufende Nummer',
  Id: 'ID',
  'All events of this subject': 'Alle Ereignisse hierzu',
  'The event as JSON': 'Das Ereignis als JSON',
  // pages/events/events-page.tsx
  'Everything that happened in the project, newest first. Webhooks send the same events to your programs.':
    'Alles, was im Projekt geschehen ist, neueste zuerst. Webhooks senden dieselben Ereignisse an Ihre Programme.',
  'Search by subject, order number or address': 'Nach Bezug, Bestellnummer oder Adresse suchen',
  'Search older events': 'Ältere Ereignisse durchsuchen',
  'Show older events': 'Ältere Ereignisse anzeigen',
  '{count, plural, one {# event} other {# events}} shown.':
    '{count, plural, one {# Ereignis} other {# Ereignisse}} angezeigt.',
  'This is the oldest stored event that matches.': 'Das ist das älteste gespeicherte Ereignis, das passt.',
  'No events yet': 'Noch keine Ereignisse',
  'Events appear as soon as something happens in the project, such as a new card or an order.':
    'Ereignisse erscheinen, sobald im Projekt etwas geschieht, etwa eine neue Karte oder eine Bestellung.',
  'The whole feed was searched. Events are stored for a limited time, so older ones may be gone.':
    'Alle Ereignisse wurden durchsucht. Sie werden nur begrenzte Zeit gespeichert, ältere sind vielleicht gelöscht.',
  'Searched all events down to number {older}.': 'Alle Ereignisse bis zurück zu Nummer {older} durchsucht.',
  'No such event found': 'Kein solches Ereignis gefunden',
  'What happened': 'Was geschehen ist',
  // pages/invitation/invitation-page.tsx
  Invitation: 'Einladung',
  'Sign in': 'Anmelden',
  'This invitation is not valid': 'Diese Einladung ist ungültig',
  'It has expired, was used or was revoked. If you have used it yourself, sign in. Otherwise ask the person who invited you for a new one.':
    'Die Einladung ist abgelaufen, verwendet oder widerrufen. Haben Sie sie selbst verwendet, melden Sie sich an. Andernfalls bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
  'The invitation is for {email}.': 'Die Einladung ist für {email}.',
  'Operate this server': 'Diesen Server betreiben',
  'You are invited as an operator, who sees all projects and decides what the server cannot.':
    'Sie sind als Betreiber eingeladen. Betreiber sehen alle Projekte und entscheiden, was der Server nicht entscheiden kann.',
  'Become an operator': 'Betreiber werden',
  'Join {projectName}': '{projectName} beitreten',
  'You are invited as {role}. {description}': 'Sie sind mit der Rolle {role} eingeladen. {description}',
  'Join the project': 'Projekt beitreten',
  'This email address has an account already. Sign in to accept the invitation.':
    'Zu dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich an, um die Einladung anzunehmen.',
  'If you have never created an account here, somebody else has used your address. Ask an operator of this server to remove that account, then open the invitation again.':
    'Haben Sie hier nie ein Konto erstellt, hat jemand anders Ihre Adresse verwendet. Bitten Sie einen Betreiber dieses Servers, dieses Konto zu entfernen, und öffnen Sie die Einladung dann noch einmal.',
  'You are signed in as {email}. Sign out, and open the invitation again.':
    'Sie sind als {email} angemeldet. Melden Sie sich ab, und öffnen Sie die Einladung noch einmal.',
  // pages/invitation/new-person-form.tsx
  'Repeat the password': 'Passwort wiederholen',
  'Your name': 'Ihr Name',
  // pages/keys/key-status.tsx
  Revoked: 'Widerrufen',
  // pages/keys/keys-page.tsx
  'What the key is for, such as the name of the program.':
    'Wofür der Schlüssel ist, etwa der Name des Programms.',
  'What it may do': 'Was er darf',
  Scopes: 'Berechtigungen',
  'What the key does is done by this wallet, such as listing a token.':
    'Was mit dem Schlüssel geschieht, geschieht im Namen dieser Wallet, etwa das Inserieren eines Tokens.',
  'Create key': 'Schlüssel erstellen',
  'Hours until the previous secret ends': 'Stunden, bis das bisherige Geheimnis endet',
  'From 0 to 8,760. Until then both secrets are valid.':
    'Von 0 bis 8.760. Bis dahin gelten beide Geheimnisse.',
  'Replace the secret of {name}': 'Geheimnis von {name} ersetzen',
  'Create a new secret': 'Neues Geheimnis erstellen',
  'Secret of {name}': 'Geheimnis von {name}',
  'Copy the secret now': 'Geheimnis jetzt kopieren',
  'It is shown only once. Store it where the program reads its secrets, not in its code.':
    'Es wird nur einmal angezeigt. Speichern Sie es dort, wo das Programm seine Geheimnisse liest, nicht im Code.',
  Key: 'Schlüssel',
  Secret: 'Geheimnis',
  'Revoke {name}?': '{name} widerrufen?',
  'Within a second, the gateway accepts no call with this key. This cannot be undone.':
    'Innerhalb einer Sekunde nimmt das Gateway keinen Aufruf mit diesem Schlüssel mehr an. Das kann nicht rückgängig gemacht werden.',
  Revoke: 'Widerrufen',
  '{name} is revoked': '{name} widerrufen',
  'Programs sign their calls with a key. Give each program a key of its own, with the scopes it needs.':
    'Programme signieren ihre Aufrufe mit einem Schlüssel. Geben Sie jedem Programm einen eigenen mit den Berechtigungen, die es braucht.',
  'Replace the secret': 'Geheimnis ersetzen',
  'No keys yet': 'Noch keine Schlüssel',
  'Create a key for the program that calls the gateway, such as your shop.':
    'Erstellen Sie einen Schlüssel für das Programm, das das Gateway aufruft, etwa Ihren Shop.',
  'The keys of programs that call the gateway appear here.':
    'Die Schlüssel der Programme, die das Gateway aufrufen, erscheinen hier.',
  'All except people, keys and audit': 'Alle außer Personen, Schlüsseln und Protokoll',
  'All of the shop, and {others}': 'Alle des Shops und {others}',
  // pages/keys/publishable-keys-section.tsx
  'What the key is for, such as the website of the shop.':
    'Wofür der Schlüssel ist, etwa die Website des Shops.',
  Origins: 'Ursprünge (Origins)',
  'One in each line: the pages that may use the key, such as https://shop.example or http://localhost:5173. At most 20.':
    'Eine pro Zeile: die Seiten, die den Schlüssel verwenden dürfen, etwa https://shop.example oder http://localhost:5173. Höchstens 20.',
  'Without a choice, the key has both.': 'Ohne Auswahl hat der Schlüssel beide.',
  'Create publishable key': 'Veröffentlichbaren Schlüssel erstellen',
  'Within a second, the gateway accepts no call with this key, so pages that use it show no catalog. This cannot be undone.':
    'Innerhalb einer Sekunde nimmt das Gateway keinen Aufruf mit diesem Schlüssel mehr an. Seiten, die ihn verwenden, zeigen dann keinen Katalog. Das kann nicht rückgängig gemacht werden.',
  'Publishable keys': 'Veröffentlichbare Schlüssel',
  'A page in a browser reads the catalog of the shop with a publishable key. It is no secret: everybody can read what it reads, and it changes nothing.':
    'Eine Seite im Browser liest den Katalog des Shops mit einem veröffentlichbaren Schlüssel. Er ist nicht geheim: Was er liest, darf jeder lesen, und er ändert nichts.',
  'No publishable keys yet': 'Noch keine veröffentlichbaren Schlüssel',
  'Create one for the pages of your shop. Programs on your servers use an API key instead.':
    'Erstellen Sie einen für die Seiten Ihres Shops. Programme auf Ihren Servern verwenden stattdessen einen API-Schlüssel.',
  'The keys of the shop’s pages appear here.': 'Die Schlüssel der Seiten des Shops erscheinen hier.',
  // pages/keys/scopes.ts
  'Shop server': 'Shop-Server',
  'Reads what is for sale. Places, cancels and refunds orders. A page needs a publishable key.':
    'Liest, was zum Verkauf steht. Legt Bestellungen an, storniert und erstattet sie. Eine Seite braucht einen veröffentlichbaren Schlüssel.',
  Till: 'Kasse',
  'Reads cards and redeems them. It sees no codes.': 'Liest Karten und löst sie ein. Sieht keine Codes.',
  Accounting: 'Buchhaltung',
  'Reads orders, sales, cards and events.': 'Liest Bestellungen, Verkäufe, Karten und Ereignisse.',
  Everything: 'Alles',
  'All of the shop. It does not manage people, keys or the audit log.':
    'Alles im Shop. Verwaltet keine Personen und Schlüssel und liest kein Änderungsprotokoll.',
  'Choose myself': 'Selbst wählen',
  'You choose each scope.': 'Sie wählen jede Berechtigung.',
  // pages/market/asset-fields.ts
  '{name} #{nftId}, {available} available, of {owner}': '{name} #{nftId}, {available} verfügbar, von {owner}',
  'What wallets of the project own. Reserved units are not offered.':
    'Was Wallets des Projekts gehört. Reserviertes wird nicht angeboten.',
  'Another token: enter it': 'Anderer Token: eingeben',
  Contract: 'Smart Contract',
  'The address of a contract of the project.': 'Die Adresse eines Smart Contracts des Projekts.',
  // pages/market/auctions/auction-form.tsx
  'The auction of {nftName} is created': 'Auktion für {nftName} erstellt',
  'They are sold together.': 'Werden zusammen verkauft.',
  'Lowest first bid': 'Startpreis',
  'For all units together.': 'Für die gesamte Stückzahl.',
  Starts: 'Beginn',
  Ends: 'Ende',
  'In your time zone. A late bid can extend it.': 'In Ihrer Zeitzone. Ein spätes Gebot kann es verschieben.',
  'Minimum raise in percent': 'Mindesterhöhung in Prozent',
  'Over the bid before: 0 to 100.': 'Über dem vorigen Gebot: 0 bis 100.',
  'Extension in seconds': 'Verlängerung in Sekunden',
  'A bid placed in the last seconds extends the auction by the same number of seconds: 0 to 86,400.':
    'Ein Gebot so kurz vor dem Ende verlängert die Auktion um diese Zeit: 0 bis 86.400.',
  // pages/market/auctions/auction-page.tsx
  Auctions: 'Auktionen',
  '{nftName}, auction {id}': '{nftName}, Auktion {id}',
  'Cancel the auction': 'Auktion stornieren',
  Bidder: 'Bieter',
  Bid: 'Gebot',
  'No bids yet': 'Noch keine Gebote',
  'A bid appears here as soon as it is placed.': 'Ein Gebot erscheint hier, sobald es abgegeben ist.',
  'The newest {shown} of {count} bids are shown.':
    'Die neuesten {shown} von {count} Geboten werden angezeigt.',
  State: 'Stand',
  'Highest bid': 'Höchstes Gebot',
  'No bid yet': 'Noch kein Gebot',
  'Highest bidder': 'Höchstbietender',
  'Reserve price': 'Mindestpreis',
  Reached: 'Erreicht',
  'Not reached': 'Nicht erreicht',
  'Order of the winner': 'Bestellung des Gewinners',
  'Buyout price': 'Sofortkaufpreis',
  'Minimum raise': 'Mindesterhöhung',
  'Extension by late bids': 'Verlängerung durch späte Gebote',
  'Starts in': 'Beginnt in',
  'Ends in': 'Endet in',
  'Cancel the auction of {nftName}?': 'Auktion für {nftName} stornieren?',
  'This cannot be undone. Only an auction without bids can be cancelled.':
    'Das kann nicht rückgängig gemacht werden. Nur eine Auktion ohne Gebote kann storniert werden.',
  'Keep the auction': 'Auktion behalten',
  'The auction of {nftName} is cancelled': 'Auktion für {nftName} storniert',
  // pages/market/auctions/auctions-page.tsx
  'The highest bid at the end wins. Here are the auctions that changed within the time for which the gateway keeps events.':
    'Das höchste Gebot am Ende gewinnt. Hier stehen Auktionen, die sich in der Zeit geändert haben, für die das Gateway Ereignisse aufbewahrt.',
  'Create auction': 'Auktion erstellen',
  Bids: 'Gebote',
  'No auctions': 'Keine Auktionen',
  'Create an auction for a token that has no fixed price.':
    'Erstellen Sie eine Auktion für einen Token ohne festen Preis.',
  'Auctions and their bids appear here.': 'Auktionen und ihre Gebote erscheinen hier.',
  'The gateway has more events about auctions than were read. Older auctions may be missing.':
    'Das Gateway hat mehr Ereignisse zu Auktionen, als gelesen wurden. Ältere Auktionen fehlen vielleicht.',
  // pages/market/auctions/auctions.ts
  'Won: waits for the payment': 'Ersteigert: wartet auf Zahlung',
  Sold: 'Verkauft',
  'Not paid': 'Nicht bezahlt',
  'Not sold': 'Nicht verkauft',
  'Paused: the seller no longer has enough': 'Pausiert: Der Verkäufer hat nicht mehr genug',
  Upcoming: 'Bevorstehend',
  // pages/market/auctions/bid-chart.tsx
  'Bid in {unit}': 'Gebot in {unit}',
  'Bids over time': 'Gebote im Zeitverlauf',
  // pages/market/coupons/coupon-details.tsx
  Valid: 'Gültig',
  'Used up': 'Aufgebraucht',
  Never: 'Nie',
  '{used}, no limit': '{used}, kein Limit',
  '{used} of {maxRedemptions}': '{used} von {maxRedemptions}',
  'Uses for each wallet': 'Nutzungen pro Wallet',
  'Minimum of an order': 'Mindestbestellwert',
  // pages/market/coupons/coupon-dialogs.tsx
  'Download as CSV': 'Als CSV herunterladen',
  'Code {code}': 'Code {code}',
  'No open listing accepts this coupon.': 'Kein offenes Inserat nimmt diesen Coupon an.',
  'Open listings with this coupon': 'Offene Inserate mit diesem Coupon',
  // pages/market/coupons/coupons-page.tsx
  'Coupons lower the price of listings. Here are those that were created or used within the time for which the gateway keeps events.':
    'Coupons senken den Preis von Inseraten. Hier stehen Coupons, die in der Zeit erstellt oder genutzt wurden, für die das Gateway Ereignisse aufbewahrt.',
  'Find a code': 'Code suchen',
  Coupon: 'Coupon',
  Listings: 'Inserate',
  'No coupons': 'Keine Coupons',
  'Create a coupon with codes for your customers.': 'Erstellen Sie einen Coupon mit Codes für Ihre Kunden.',
  'Coupons and their codes appear here.': 'Coupons und ihre Codes erscheinen hier.',
  'The gateway has more events about coupons than were read. Use the search to find others by their code.':
    'Das Gateway hat mehr Ereignisse zu Coupons, als gelesen wurden. Andere finden Sie mit der Suche nach ihrem Code.',
  // pages/market/coupons/coupons.ts
  '{value} base units of the listing’s token': '{value} Basiseinheiten des Tokens des Inserats',
  '{value}% off': '{value} % Rabatt',
  '{value} off an order': '{value} Rabatt pro Bestellung',
  '{value} for one unit': '{value} pro Stück',
  // pages/market/listings/close-listing.ts
  'Take {nftName} off the shelf?': '{nftName} aus dem Verkauf nehmen?',
  '{count, plural, one {# unit that nobody has ordered is} other {# units that nobody has ordered are}} no longer for sale. Open orders can still be paid. A closed listing cannot be opened again: put the token on the shelf anew.':
    '{count, plural, one {# Stück, das niemand bestellt hat, steht} other {# Stück, die niemand bestellt hat, stehen}} nicht mehr zum Verkauf. Offene Bestellungen können noch bezahlt werden. Ein geschlossenes Inserat kann nicht wieder geöffnet werden: Stellen Sie den Token neu zum Verkauf.',
  'Take off the shelf': 'Aus dem Verkauf nehmen',
  '{nftName} is off the shelf': '{nftName} steht nicht mehr zum Verkauf',
  // pages/market/listings/listing-end.tsx
  'Open end': 'Offenes Ende',
  // pages/market/listings/listing-form.tsx
  'Kind of sale': 'Verkaufsart',
  'Create a coupon first': 'Erstellen Sie zuerst einen Coupon',
  'This kind of sale needs a coupon with codes. Create one in Coupons.':
    'Diese Verkaufsart braucht einen Coupon mit Codes. Erstellen Sie einen unter Coupons.',
  'They are reserved while the listing is open.': 'Reserviert, solange das Inserat offen ist.',
  'Price of one unit': 'Preis pro Stück',
  'Wallets that can buy': 'Wallets, die kaufen können',
  'One address in each line, at most 1,000.': 'Eine Adresse pro Zeile, höchstens 1.000.',
  'In your time zone. Empty: now.': 'In Ihrer Zeitzone. Leer: jetzt.',
  'In your time zone. Empty: after ten years.': 'In Ihrer Zeitzone. Leer: nach zehn Jahren.',
  // pages/market/listings/listing-page.tsx
  'On the shelf': 'Im Verkauf',
  'Sold out': 'Ausverkauft',
  'Taken off': 'Zurückgezogen',
  '{nftName}, listing {id}': '{nftName}, Inserat {id}',
  Details: 'Details',
  Listed: 'Inseriert',
  // pages/market/listings/listings-page.tsx
  '{nftName} is on the shelf': '{nftName} steht jetzt zum Verkauf',
  'What the project sells at present.': 'Was das Projekt zurzeit verkauft.',
  'Nothing of this kind is on the shelf': 'Nichts dieser Art steht zum Verkauf',
  'Put a token on the shelf, or choose another kind.':
    'Stellen Sie einen Token zum Verkauf, oder wählen Sie eine andere Art.',
  'Choose another kind. What is for sale appears here.':
    'Wählen Sie eine andere Art. Was zum Verkauf steht, erscheint hier.',
  'The gateway lists listings that are open. Those that were sold or closed are in the orders.':
    'Das Gateway listet offene Inserate auf. Verkaufte oder geschlossene finden Sie in den Bestellungen.',
  // pages/market/market-tabs.tsx
  Coupons: 'Coupons',
  Offers: 'Kaufangebote',
  'Product cards': 'Produktkarten',
  'Parts of the market': 'Bereiche des Marktplatzes',
  // pages/market/offers/offers-page.tsx
  'No offers received': 'Keine Kaufangebote erhalten',
  'Offers for the tokens of this wallet appear here.':
    'Kaufangebote für die Token dieser Wallet erscheinen hier.',
  'No offers made': 'Keine Kaufangebote abgegeben',
  'Offers that this wallet makes appear here.': 'Kaufangebote, die diese Wallet abgibt, erscheinen hier.',
  'Prices that buyers propose for tokens. Offers belong to wallets: choose one.':
    'Preise, die Käufer für Token vorschlagen. Kaufangebote gehören zu Wallets: Wählen Sie eine.',
  Direction: 'Richtung',
  Received: 'Erhalten',
  Made: 'Abgegeben',
  'Choose a wallet': 'Wallet auswählen',
  'Enter the address of the wallet whose offers you want to see.':
    'Geben Sie die Adresse der Wallet ein, deren Kaufangebote Sie sehen möchten.',
  // pages/market/products/product-page.tsx
  'Shown to buyers': 'Für Käufer sichtbar',
  Hidden: 'Verborgen',
  'What buyers see.': 'Was Käufer sehen.',
  'The wallet that makes the product.': 'Die Wallet, die das Produkt herstellt.',
  'The most units. 0: no limit.': 'Höchste Stückzahl. 0: kein Limit.',
  License: 'Lizenz',
  Visibility: 'Sichtbarkeit',
  'Add product': 'Produkt hinzufügen',
  'The product is added': 'Produkt hinzugefügt',
  'This cannot be undone. A product of which a unit is reserved or minted cannot be removed.':
    'Das kann nicht rückgängig gemacht werden. Ein Produkt, von dem etwas reserviert oder gemintet ist, kann nicht entfernt werden.',
  'On sale': 'Im Verkauf',
  'All reserved': 'Alle reserviert',
  'Product card of {name}': 'Produktkarte von {name}',
  Products: 'Produkte',
  Reserved: 'Reserviert',
  'No products yet': 'Noch keine Produkte',
  'Add the first product that buyers can mint.':
    'Fügen Sie das erste Produkt hinzu, das Käufer minten können.',
  'Products that buyers can mint appear here.': 'Produkte, die Käufer minten können, erscheinen hier.',
  'The gateway returns the newest 100 products.': 'Das Gateway liefert die neuesten 100 Produkte.',
  Mints: 'Mints',
  'No mints yet': 'Noch keine Mints',
  'When a buyer gets permission to mint, it appears here.':
    'Sobald ein Käufer minten darf, erscheint es hier.',
  // pages/market/products/products-page.tsx
  'Products whose NFTs buyers mint. Each contract has its own product card.':
    'Produkte, deren NFTs Käufer minten. Jeder Smart Contract hat eine eigene Produktkarte.',
  'Add a contract first. Its product card is here then.':
    'Fügen Sie zuerst einen Smart Contract hinzu. Danach steht seine Produktkarte hier.',
  'Each contract of the project has its product card here.':
    'Jeder Smart Contract des Projekts hat hier seine Produktkarte.',
  // pages/minting/collection-page.tsx
  'Minting of {name}': 'Minting von {name}',
  'The project has no minter yet': 'Das Projekt hat noch keinen Minter',
  'Saving the settings of the collection creates the minter, whose address appears here: the contract must allow it to sign mints.':
    'Beim Speichern der Einstellungen der Kollektion entsteht der Minter, dessen Adresse dann hier steht: Der Smart Contract muss ihm erlauben, Mints zu signieren.',
  'The project’s minter signs the mints': 'Der Minter des Projekts signiert die Mints',
  'The contract must allow {minter} to sign mints. Otherwise it refuses what buyers send.':
    'Der Smart Contract muss {minter} erlauben, Mints zu signieren. Sonst lehnt er ab, was Käufer senden.',
  'Parts of the collection': 'Bereiche der Kollektion',
  'Minted tokens': 'Gemintete Token',
  'Minted NFTs': 'Gemintete NFTs',
  'NFTs on display': 'Sichtbare NFTs',
  'Reserved NFTs': 'Reservierte NFTs',
  'Hidden NFTs': 'Verborgene NFTs',
  'Here are the mints that changed within the time for which the gateway keeps events.':
    'Hier stehen Mints, die sich in der Zeit geändert haben, für die das Gateway Ereignisse aufbewahrt.',
  'The gateway has more events about mints than were read. Older mints may be missing.':
    'Das Gateway hat mehr Ereignisse zu Mints, als gelesen wurden. Ältere Mints fehlen vielleicht.',
  // pages/minting/lazy-nfts-section.tsx
  'On display': 'Sichtbar',
  'On display: can be minted': 'Sichtbar: kann gemintet werden',
  'Hidden: cannot be minted': 'Verborgen: kann nicht gemintet werden',
  'Empty: that of the collection.': 'Leer: wie in der Kollektion.',
  'Add NFT': 'NFT hinzufügen',
  'This cannot be undone. An NFT that is reserved or minted cannot be removed.':
    'Das kann nicht rückgängig gemacht werden. Ein reserviertes oder gemintetes NFT kann nicht entfernt werden.',
  'NFTs to mint': 'NFTs zum Minten',
  'No NFTs to mint yet': 'Noch keine NFTs zum Minten',
  'Add the NFTs that buyers can mint, or let buyers mint by quantity in the settings.':
    'Fügen Sie die NFTs hinzu, die Käufer minten können, oder lassen Sie Käufer in den Einstellungen nach Menge minten.',
  'The NFTs that buyers can mint appear here. Buyers may mint by quantity, too.':
    'Die NFTs, die Käufer minten können, erscheinen hier. Vielleicht minten Käufer auch nach Menge.',
  // pages/minting/minting-page.tsx
  'Collections whose NFTs buyers mint themselves, in phases.':
    'Kollektionen, deren NFTs Käufer selbst minten, in Phasen.',
  Collection: 'Kollektion',
  'Open phase': 'Offene Phase',
  'No collections yet': 'Noch keine Kollektionen',
  'Each contract of the project is a collection. Add a contract first.':
    'Jeder Smart Contract des Projekts ist eine Kollektion. Fügen Sie zuerst einen Smart Contract hinzu.',
  'Each contract of the project is a collection and appears here.':
    'Jeder Smart Contract des Projekts ist eine Kollektion und erscheint hier.',
  'Go to contracts': 'Zu den Smart Contracts',
  // pages/minting/settings-section.tsx
  'Empty: the name of the contract.': 'Leer: der Name des Smart Contracts.',
  'Empty: the image of the contract.': 'Leer: das Bild des Smart Contracts.',
  Banner: 'Banner',
  'Edit settings': 'Einstellungen bearbeiten',
  'The settings are saved': 'Einstellungen gespeichert',
  'One address of an image in each line, at most 100.': 'Eine Bildadresse pro Zeile, höchstens 100.',
  'Edit previews': 'Vorschauen bearbeiten',
  'The previews are saved': 'Vorschauen gespeichert',
  'Signs the mints': 'Signiert die Mints',
  'There are no previews.': 'Es gibt keine Vorschauen.',
  // pages/new-password/new-password-page.tsx
  'You are signed out on all devices, and your passkeys are removed. Your second factor stays.':
    'Sie sind auf allen Geräten abgemeldet, und Ihre Passkeys sind entfernt. Ihr zweiter Faktor bleibt.',
  'Request a new link': 'Neuen Link anfordern',
  // pages/new-password/request-page.tsx
  'Look for a mail': 'Prüfen Sie Ihr Postfach',
  'If {email} has an account, a mail with a link is on its way. The link works for an hour.':
    'Wenn es zu {email} ein Konto gibt, ist eine E-Mail mit einem Link unterwegs. Der Link gilt eine Stunde.',
  'You get a mail with a link by which you choose a new password.':
    'Sie erhalten eine E-Mail mit einem Link, über den Sie ein neues Passwort wählen.',
  'Send the link': 'Link senden',
  'Back to the sign-in': 'Zurück zur Anmeldung',
  // pages/nfts/add-nft.tsx
  'Add a contract first': 'Fügen Sie zuerst einen Smart Contract hinzu',
  'An NFT is a token of a contract. Add the contract of your collection.':
    'Ein NFT ist ein Token eines Smart Contracts. Fügen Sie den Smart Contract Ihrer Kollektion hinzu.',
  'The number of the token in its contract.': 'Die Nummer des Tokens in seinem Smart Contract.',
  'First owner': 'Erster Inhaber',
  'The wallet that has the token now.': 'Die Wallet, die den Token jetzt hat.',
  '1 for ERC-721. For ERC-1155, the size of the edition.':
    '1 bei ERC-721. Bei ERC-1155 die Größe der Auflage.',
  'Preview of the image': 'Vorschau des Bilds',
  // pages/nfts/nft-page.tsx
  'The NFT disappears from the project, not from the chain. It can only be removed while its first owner has it and nothing of it is listed.':
    'Das NFT verschwindet aus dem Projekt, nicht von der Blockchain. Es kann nur entfernt werden, solange sein erster Inhaber es hat und nichts davon inseriert ist.',
  'Put on the shelf': 'Zum Verkauf stellen',
  Creator: 'Urheber',
  Royalty: 'Tantieme',
  'Media file': 'Mediendatei',
  'This NFT has no properties.': 'Dieses NFT hat keine Eigenschaften.',
  '{rarity} have this': '{rarity} haben diese Eigenschaft',
  'No owner is known.': 'Kein Inhaber bekannt.',
  'The newest {count} holdings of the collection were searched. There may be more owners.':
    'Die neuesten {count} Bestände der Kollektion wurden durchsucht. Vielleicht gibt es weitere Inhaber.',
  'No open offers': 'Keine offenen Kaufangebote',
  'Offers of buyers for this NFT appear here.': 'Kaufangebote für dieses NFT erscheinen hier.',
  // pages/nfts/nfts-page.tsx
  View: 'Ansicht',
  Grid: 'Raster',
  List: 'Liste',
  'The tokens of your contracts, with their owners.': 'Die Token Ihrer Smart Contracts mit ihren Inhabern.',
  'Search by name, description or token id': 'Nach Name, Beschreibung oder Token-ID suchen',
  'Only tokens with {trait}: {value}': 'Nur Token mit {trait}: {value}',
  'Only tokens of {owner}': 'Nur Token von {owner}',
  'Add an NFT of one of your contracts. If you have no contract, add one first.':
    'Fügen Sie ein NFT eines Ihrer Smart Contracts hinzu. Wenn Sie keinen haben, fügen Sie zuerst einen hinzu.',
  'The NFTs of the project’s contracts appear here.':
    'Die NFTs der Smart Contracts des Projekts erscheinen hier.',
  // pages/orders/order-details.tsx
  'Waits for the chain': 'Wartet auf die Blockchain',
  'Paid by the buyer': 'Vom Käufer bezahlt',
  'Price before coupon': 'Preis vor Coupon',
  'All orders': 'Alle Bestellungen',
  'Payment until': 'Zahlung bis',
  Delivery: 'Lieferung',
  Payment: 'Zahlung',
  'Order number': 'Bestellnummer',
  'Pay token': 'Zahlungstoken',
  'Native token of the chain': 'Nativer Token der Blockchain',
  'Newest block when placed': 'Neuester Block bei Bestellung',
  'Block of the payment': 'Block der Zahlung',
  // pages/orders/order-page.tsx
  'Order {orderNo}': 'Bestellung {orderNo}',
  'Print receipt': 'Beleg drucken',
  History: 'Verlauf',
  'History of the order': 'Verlauf der Bestellung',
  'Times of the steps in between are in the audit log, which owners and auditors may read.':
    'Die Zeiten der Zwischenschritte stehen im Änderungsprotokoll, das Inhaber und Prüfer lesen dürfen.',
  'by {actor}': 'von: {actor}',
  'Cancel this order?': 'Diese Bestellung stornieren?',
  'What it reserves is available again. The buyer must place a new order.':
    'Was sie reserviert, ist wieder verfügbar. Der Käufer muss neu bestellen.',
  'Keep the order': 'Bestellung behalten',
  'The order is cancelled': 'Bestellung storniert',
  // pages/orders/order-refunds.tsx
  '{reason} An operator decides whether the order counts as paid.':
    '{reason} Ein Betreiber entscheidet, ob die Bestellung als bezahlt gilt.',
  'This order needs a decision': 'Diese Bestellung braucht eine Entscheidung',
  '{reason} Give the money back, or ask an operator to count the order as paid.':
    '{reason} Geben Sie das Geld zurück, oder bitten Sie einen Betreiber, die Bestellung als bezahlt zu werten.',
  'Give the money back': 'Geld zurückgeben',
  'Give the money back?': 'Geld zurückgeben?',
  'The order ends without a sale, and what it reserves is available again. Then the seller sends the money to the buyer: this page shows how much. This cannot be undone.':
    'Die Bestellung endet ohne Verkauf, und was sie reserviert, ist wieder verfügbar. Dann sendet der Verkäufer dem Käufer das Geld: Diese Seite zeigt, wie viel. Das kann nicht rückgängig gemacht werden.',
  'The order is declined. Send the money to the buyer now':
    'Bestellung abgelehnt. Senden Sie das Geld jetzt an den Käufer',
  'The order is declined': 'Bestellung abgelehnt',
  'Record a refund': 'Erstattung erfassen',
  'The gateway checks the transaction on the chain. Its block must be final, which takes up to a few minutes.':
    'Das Gateway prüft die Transaktion auf der Blockchain. Der Block muss endgültig sein; das dauert bis zu einigen Minuten.',
  'Record refund': 'Erstattung erfassen',
  'The refund is recorded': 'Erstattung erfasst',
  'The refund is recorded. A part is still due': 'Erstattung erfasst. Ein Teil ist noch fällig',
  'To send': 'Zu senden',
  'From the wallet of the seller': 'Von der Wallet des Verkäufers',
  'To the wallet of the buyer': 'An die Wallet des Käufers',
  Refund: 'Erstattung',
  'Send this from the wallet of the seller, on {chainId}, and record the transaction. A transfer from another wallet cannot be recorded.':
    'Senden Sie dies von der Wallet des Verkäufers auf {chainId}, und erfassen Sie die Transaktion. Eine Übertragung von einer anderen Wallet kann nicht erfasst werden.',
  'Paid back': 'Erstattet',
  'Paid back in all': 'Insgesamt erstattet',
  // pages/orders/order-timeline.ts
  'A part of the price was paid': 'Ein Teil des Preises wurde bezahlt',
  'Money was sent back to the buyer': 'Geld wurde an den Käufer zurückgesendet',
  'Nothing is due to the buyer': 'Dem Käufer steht nichts zu',
  'Waits for the transfer of the token': 'Wartet auf die Übertragung des Tokens',
  'Delivered to the buyer': 'An den Käufer geliefert',
  'The payment is no longer in a block': 'Die Zahlung ist in keinem Block mehr',
  // pages/orders/orders-page.tsx
  Today: 'Heute',
  'Last 7 days': 'Letzte 7 Tage',
  'Last 30 days': 'Letzte 30 Tage',
  'Last 90 days': 'Letzte 90 Tage',
  'Search by order number or name': 'Nach Bestellnummer oder Name suchen',
  'No orders yet': 'Noch keine Bestellungen',
  'Orders appear here as soon as somebody buys something of the project.':
    'Bestellungen erscheinen hier, sobald jemand etwas aus dem Projekt kauft.',
  // pages/overview/attention.tsx
  'Needs attention': 'Zu erledigen',
  '{orders} cannot be decided by the server': 'Der Server kann über {orders} nicht entscheiden',
  'The payment is not what was ordered. The page of each order says what to do.':
    'Die Zahlung entspricht nicht der Bestellung. Auf der Seite jeder Bestellung steht, was zu tun ist.',
  'A refund is due for {orders}': 'Erstattung fällig für {orders}',
  'The page of each order shows how much to send, and to whom.':
    'Auf der Seite jeder Bestellung steht, wie viel an wen zu senden ist.',
  '{count, plural, one {# order} other {# orders}}':
    '{count, plural, one {# Bestellung} other {# Bestellungen}}',
  'Show them': 'Anzeigen',
  'Show it': 'Anzeigen',
  'The webhook {url} is disabled': 'Der Webhook {url} ist deaktiviert',
  'Its receiver failed for five days. Repair the receiver, then enable the webhook.':
    'Sein Empfänger war fünf Tage lang gestört. Beheben Sie die Störung, und aktivieren Sie dann den Webhook.',
  'The webhook {url} does not accept events': 'Der Webhook {url} nimmt keine Ereignisse an',
  'Its receiver has failed for some time. After five days, the gateway disables it.':
    'Sein Empfänger ist seit einiger Zeit gestört. Nach fünf Tagen deaktiviert das Gateway den Webhook.',
  'You sign in without a second factor.': 'Sie melden sich ohne zweiten Faktor an.',
  'Turn it on': 'Einschalten',
  '{count, plural, one {# owner or manager signs} other {# owners and managers sign}} in without a second factor.':
    '{count, plural, one {# Inhaber oder Manager meldet} other {# Inhaber und Manager melden}} sich ohne zweiten Faktor an.',
  'Show people': 'Personen anzeigen',
  // pages/overview/first-steps.tsx
  'First steps': 'Erste Schritte',
  'Create a card': 'Karte erstellen',
  'Such as a free coffee. It has a QR code that your customers show.':
    'Zum Beispiel für einen Gratis-Kaffee. Sie hat einen QR-Code, den Ihre Kunden zeigen.',
  'Print it, or send its link': 'Drucken oder Link senden',
  'The page of each card has its QR code and its link.':
    'Auf der Seite jeder Karte stehen ihr QR-Code und ihr Link.',
  'Invite your staff': 'Personal einladen',
  'They scan cards at the counter, and cannot change anything else.':
    'Es scannt Karten an der Kasse und kann sonst nichts ändern.',
  'Scan the card': 'Karte scannen',
  'With the camera of a phone. The first redeemed card ends this list.':
    'Mit der Kamera eines Telefons. Mit der ersten eingelösten Karte verschwindet diese Liste.',
  // pages/overview/overview-page.tsx
  Period: 'Zeitraum',
  '{value} days': '{value} Tage',
  'Newest orders': 'Neueste Bestellungen',
  // pages/overview/totals.tsx
  'Last {days} days': 'Letzte {days} Tage',
  'Cards redeemed': 'Eingelöste Karten',
  'Scans refused': 'Abgelehnte Scans',
  'Orders paid': 'Bezahlte Bestellungen',
  Revenue: 'Umsatz',
  'Revenue in {token}': 'Umsatz in {token}',
  'Scans of cards': 'Kartenscans',
  // pages/people/people-page.tsx
  Role: 'Rolle',
  'What the person does in the project is done by this wallet, such as listing a token.':
    'Was die Person im Projekt tut, geschieht im Namen dieser Wallet, etwa das Inserieren eines Tokens.',
  Invite: 'Einladen',
  'Change {name}': '{name} ändern',
  '{name} is changed': '{name} geändert',
  'Sign out {name} everywhere?': '{name} überall abmelden?',
  'The person must sign in again on every device, for other projects too. Use it when a device is lost.':
    'Die Person muss sich auf jedem Gerät neu anmelden, auch für andere Projekte. Verwenden Sie das, wenn ein Gerät verloren ging.',
  'Sign out everywhere': 'Überall abmelden',
  '{name} is signed out': '{name} abgemeldet',
  '{name} can no longer open this project. The API keys of the project stay valid: revoke those that {name} knows.':
    '{name} kann dieses Projekt nicht mehr öffnen. Die API-Schlüssel des Projekts bleiben gültig: Widerrufen Sie alle, die {name} kennt.',
  'Who may use the console for this project, and what they may do.':
    'Wer die Konsole für dieses Projekt verwenden darf und mit welchen Rechten.',
  'Last seen': 'Zuletzt gesehen',
  Joined: 'Beigetreten',
  'Change role or wallet': 'Rolle oder Wallet ändern',
  'Remove from the project': 'Aus dem Projekt entfernen',
  'Nobody yet': 'Noch niemand',
  'Revoke the invitation of {email}?': 'Einladung für {email} widerrufen?',
  'Its link does nothing from then on.': 'Der Link ist dann wirkungslos.',
  'The invitation is revoked': 'Einladung widerrufen',
  'Open invitations': 'Offene Einladungen',
  'the invitation of {email}': 'die Einladung für {email}',
  'No invitation is open': 'Keine offene Einladung',
  // pages/reports/redemptions-report.ts
  Redemptions: 'Einlösungen',
  'Scans of cards by the day on which they were made. An undone scan counts with its scan.':
    'Kartenscans nach dem Tag, an dem gescannt wurde. Ein zurückgenommener Scan zählt am Tag des Scans.',
  Undone: 'Zurückgenommen',
  Redeemed: 'Eingelöst',
  'Why refused': 'Ablehnungsgrund',
  'No cards were scanned in this period': 'In diesem Zeitraum wurden keine Karten gescannt',
  'Choose other days, or see what was sold.': 'Wählen Sie andere Tage, oder sehen Sie, was verkauft wurde.',
  'Show sales': 'Verkäufe anzeigen',
  // pages/reports/report-definition.ts
  Month: 'Monat',
  Campaign: 'Kampagne',
  Person: 'Person',
  'No store': 'Keine Filiale',
  'Other cards': 'Andere Karten',
  // pages/reports/report-periods.ts
  'This month': 'Dieser Monat',
  'Last month': 'Letzter Monat',
  'This year': 'Dieses Jahr',
  'Other days': 'Andere Tage',
  // pages/reports/report-section.tsx
  'Download CSV': 'CSV herunterladen',
  '{title} by {by}': '{title} nach {by}',
  '{days}, compared with {before}. Time zone: {timeZone}.':
    '{days}, verglichen mit {before}. Zeitzone: {timeZone}.',
  Report: 'Bericht',
  // pages/reports/reports-page.tsx
  By: 'Nach',
  'First day': 'Erster Tag',
  'Last day': 'Letzter Tag',
  // pages/reports/sales-report.ts
  'Paid orders by the day on which they were placed. A refund counts with its order.':
    'Bezahlte Bestellungen nach dem Tag, an dem bestellt wurde. Eine Erstattung zählt am Tag der Bestellung.',
  'Token address': 'Token-Adresse',
  'Items sold': 'Verkaufte Artikel',
  Refunded: 'Erstattet',
  Kept: 'Verbleibend',
  'Nothing was sold in this period': 'In diesem Zeitraum wurde nichts verkauft',
  'Choose other days, or see what was redeemed.':
    'Wählen Sie andere Tage, oder sehen Sie, was eingelöst wurde.',
  'Show redemptions': 'Einlösungen anzeigen',
  // pages/scanner/code-form.tsx
  'Enter the code of a card': 'Code einer Karte eingeben',
  'Code of the card': 'Code der Karte',
  'Type or paste it, or use a scanner that types. It is printed below the QR code.':
    'Tippen oder fügen Sie ihn ein, oder verwenden Sie einen Handscanner. Er steht unter dem QR-Code.',
  'Check the code': 'Code prüfen',
  'The picture has no readable QR code. Take it closer and without reflections.':
    'Das Bild enthält keinen lesbaren QR-Code. Gehen Sie näher heran, und vermeiden Sie Spiegelungen.',
  'The file is no picture that this browser can read. Choose a JPEG or PNG file.':
    'Dieser Browser kann die Datei nicht als Bild lesen. Wählen Sie eine JPEG- oder PNG-Datei.',
  'Reading the picture': 'Das Bild wird gelesen',
  'Choose a picture': 'Bild auswählen',
  'Picture with a QR code': 'Bild mit QR-Code',
  // pages/scanner/describe-scan.ts
  'Unknown card': 'Unbekannte Karte',
  'Checking…': 'Wird geprüft…',
  'Already checked in': 'Bereits eingecheckt',
  'Already redeemed': 'Bereits eingelöst',
  'No answer from the server. This scan is stored, and the server checks it later.':
    'Keine Antwort vom Server. Dieser Scan ist gespeichert, und der Server prüft ihn später.',
  'The server refused it on this device at {time}, because it was used before.':
    'Der Server hat sie auf diesem Gerät abgelehnt ({time}), weil sie schon genutzt war.',
  'Checked in with this device at {time}.': 'Mit diesem Gerät eingecheckt: {time}.',
  'Redeemed with this device at {time}.': 'Mit diesem Gerät eingelöst: {time}.',
  'Used before: {uses}': 'Zuvor genutzt: {uses}',
  'Level: {level}': 'Stufe: {level}',
  'That was its only use': 'Das war die einzige Nutzung',
  'That was the last of {total} uses': 'Das war die letzte von {total} Nutzungen',
  '{left} of {total} uses left': 'Noch {left} von {total} Nutzungen',
  // pages/scanner/result-screen.tsx
  '{count, plural, one {Another scan of this card waits too.} other {# other scans of this card wait too.}}':
    '{count, plural, one {Ein weiterer Scan dieser Karte wartet auch.} other {# weitere Scans dieser Karte warten auch.}}',
  'Next scan': 'Nächster Scan',
  // pages/scanner/scan-history.tsx
  'Scans of this device appear here.': 'Scans dieses Geräts erscheinen hier.',
  'Undo the scan of {name}': 'Scan von {name} zurücknehmen',
  // pages/scanner/scanner-page.tsx
  'Your role does not redeem cards': 'Mit Ihrer Rolle lösen Sie keine Karten ein',
  'Your role is {role}. Staff, managers and owners scan cards; you can see each card and its history.':
    'Ihre Rolle: {role}. Personal, Manager und Inhaber scannen Karten; Sie können jede Karte und ihren Verlauf sehen.',
  'Store: {store}': 'Filiale: {store}',
  'Turn the sound on': 'Ton einschalten',
  'Turn the sound off': 'Ton ausschalten',
  'The scan was not stored, so nothing was redeemed. Scan the card again.':
    'Der Scan wurde nicht gespeichert, also wurde nichts eingelöst. Scannen Sie die Karte noch einmal.',
  '{waiting, plural, one {# scan waits} other {# scans wait}} for an answer':
    '{waiting, plural, one {# Scan wartet} other {# Scans warten}} auf Antwort',
  'They are sent again until the server answers. Each one counts once.':
    'Die Scans werden so lange gesendet, bis der Server antwortet. Jeder zählt einmal.',
  'There is no connection. They are sent as soon as it is back, also after you close this page and open it again.':
    'Es besteht keine Verbindung. Die Scans werden gesendet, sobald sie wieder da ist, auch wenn Sie diese Seite schließen und wieder öffnen.',
  'Send now': 'Jetzt senden',
  // pages/scanner/scanner-settings-dialog.tsx
  'Settings of this scanner': 'Einstellungen dieses Scanners',
  'A scan of a membership card': 'Ein Scan einer Mitgliedskarte',
  'Checks in': 'Checkt das Mitglied ein',
  'The member visits the store.': 'Das Mitglied besucht die Filiale.',
  'Redeems a benefit': 'Löst einen Vorteil ein',
  'The member uses a benefit, such as a free coffee.':
    'Das Mitglied nutzt einen Vorteil, etwa einen Gratis-Kaffee.',
  'Sound after each scan': 'Ton nach jedem Scan',
  'Cards that name stores are accepted only there. Write its name or code. Empty for no store.':
    'Karten für bestimmte Filialen werden nur dort angenommen. Geben Sie Name oder Code der Filiale ein. Leer: keine Filiale.',
  'Cards that name stores are accepted only there.':
    'Karten für bestimmte Filialen werden nur dort angenommen.',
  // pages/scanner/use-camera.ts
  'No camera': 'Keine Kamera',
  'The camera was disconnected': 'Die Kamera wurde getrennt',
  // pages/scanner/viewfinder.tsx
  'Picture of the camera': 'Kamerabild',
  'Hold the QR code of the card into the frame.': 'Halten Sie den QR-Code der Karte in den Rahmen.',
  'Stop the camera': 'Kamera anhalten',
  'Starting the camera': 'Die Kamera startet',
  'Start the camera': 'Kamera starten',
  'The camera reads QR codes of cards. The pictures stay on this device.':
    'Die Kamera liest QR-Codes von Karten. Die Bilder bleiben auf diesem Gerät.',
  'Try again': 'Erneut versuchen',
  // pages/search/search-page.tsx
  'No name': 'Ohne Namen',
  Kind: 'Art',
  'Found by': 'Gefunden über',
  'Enter what a customer tells you: an order number, a transaction hash, a wallet, a name, a card code or your reference. Pages are found by their titles.':
    'Geben Sie ein, was ein Kunde Ihnen nennt: eine Bestellnummer, einen Transaktions-Hash, eine Wallet, einen Namen, einen Kartencode oder Ihre Referenz. Seiten werden über ihre Titel gefunden.',
  'Pages of the console': 'Seiten der Konsole',
  'No order, card or wallet found': 'Keine Bestellung, Karte oder Wallet gefunden',
  'Check the spelling. Codes and references must be complete.':
    'Prüfen Sie die Schreibweise. Codes und Referenzen müssen vollständig sein.',
  // pages/sign-in/password-step.tsx
  or: 'oder',
  'Sign in with a passkey': 'Mit Passkey anmelden',
  'Forgot your password?': 'Passwort vergessen?',
  'No access? Ask an owner of the project for a new invitation.':
    'Kein Zugang? Bitten Sie einen Inhaber des Projekts um eine neue Einladung.',
  // pages/sign-in/second-factor-step.tsx
  'Backup code': 'Backup-Code',
  'Each of your backup codes works once.': 'Jeder Ihrer Backup-Codes gilt einmal.',
  'Enter the six digits that your authenticator app shows.':
    'Geben Sie die sechs Ziffern ein, die Ihre Authentifizierungs-App anzeigt.',
  'Trust this device for 30 days': 'Diesem Gerät 30 Tage vertrauen',
  'Use the authenticator app': 'Authentifizierungs-App verwenden',
  'Use a backup code': 'Backup-Code verwenden',
  'Use another account': 'Anderes Konto verwenden',
  // pages/stores/stores-page.tsx
  Closed: 'Geschlossen',
  'What staff choose at the scanner. Cards of the store follow it to another name.':
    'Was das Personal am Scanner auswählt. Bei einer Umbenennung bleiben die Karten der Filiale zugeordnet.',
  'A short code that can be used instead, such as BER1.':
    'Ein kurzer Code, der stattdessen verwendet werden kann, etwa BER1.',
  'For your own information.': 'Für Ihre eigene Information.',
  'Time zone': 'Zeitzone',
  'Where its days begin, such as Europe/Berlin.': 'In der ihre Tage beginnen, etwa Europe/Berlin.',
  'Add store': 'Filiale hinzufügen',
  'Closed: new cards cannot name it. Issued cards keep it.':
    'Geschlossen: Neue Karten können sie nicht nennen. Ausgestellte Karten behalten sie.',
  'Where customers show their cards. Cards and scanners choose from these stores.':
    'Wo Kunden ihre Karten zeigen. Für Karten und Scanner stehen diese Filialen zur Auswahl.',
  'No stores yet': 'Noch keine Filialen',
  'You need this page only with several stores. Once you add one, cards and scanners can use only the stores that are listed here.':
    'Sie brauchen diese Seite nur bei mehreren Filialen. Sobald Sie eine hinzufügen, können Karten und Scanner nur noch die Filialen in dieser Liste verwenden.',
  'Stores appear here when a manager adds them.':
    'Filialen erscheinen hier, sobald ein Manager sie hinzufügt.',
  // pages/wallets/address-book-section.tsx
  'At most 200 characters.': 'Höchstens 200 Zeichen.',
  Note: 'Notiz',
  'Add address': 'Adresse hinzufügen',
  '{name} is in the address book': '{name} steht im Adressbuch',
  'Remove {name} from the address book?': '{name} aus dem Adressbuch entfernen?',
  'The name and the note are lost. You can add the address again.':
    'Name und Notiz gehen verloren. Sie können die Adresse wieder hinzufügen.',
  'Address book': 'Adressbuch',
  'Search by name, note or address': 'Nach Name, Notiz oder Adresse suchen',
  'The address book is empty': 'Das Adressbuch ist leer',
  'Add an address, or import the wallets that this wallet follows.':
    'Fügen Sie eine Adresse hinzu, oder importieren Sie die Wallets, denen diese Wallet folgt.',
  'The addresses that this wallet names appear here.':
    'Die Adressen, die diese Wallet benennt, erscheinen hier.',
  'All followed wallets are in the address book already': 'Alle gefolgten Wallets stehen schon im Adressbuch',
  '{count, plural, one {# address is imported} other {# addresses are imported}}':
    '{count, plural, one {# Adresse importiert} other {# Adressen importiert}}',
  'Import followed wallets': 'Gefolgte Wallets importieren',
  '{done}. There may be more: import again.': '{done}. Vielleicht gibt es mehr: Importieren Sie noch einmal.',
  // pages/wallets/fan-sections.tsx
  Followers: 'Follower',
  'No followers yet': 'Noch keine Follower',
  'Wallets that follow this wallet appear here.': 'Wallets, die dieser Wallet folgen, erscheinen hier.',
  Following: 'Folgt',
  'This wallet follows nobody': 'Diese Wallet folgt niemandem',
  'Wallets that it follows appear here.': 'Wallets, denen sie folgt, erscheinen hier.',
  // pages/wallets/messages-section.tsx
  Recipient: 'Empfänger',
  'The address of the wallet that gets the message.': 'Die Adresse der Wallet, die die Nachricht erhält.',
  Message: 'Nachricht',
  '1 to 4,000 characters. It is sent in the name of this wallet.':
    '1 bis 4.000 Zeichen. Wird im Namen dieser Wallet gesendet.',
  'New message': 'Neue Nachricht',
  'Newest message': 'Neueste Nachricht',
  Unread: 'Ungelesen',
  'The newest 250 conversations are shown.': 'Die neuesten 250 Unterhaltungen werden angezeigt.',
  'No messages yet': 'Noch keine Nachrichten',
  'Conversations of this wallet appear here.': 'Unterhaltungen dieser Wallet erscheinen hier.',
  'Messages with {other}': 'Nachrichten mit {other}',
  'All conversations': 'Alle Unterhaltungen',
  Reply: 'Antworten',
  'It is sent in the name of this wallet.': 'Wird im Namen dieser Wallet gesendet.',
  'Older messages': 'Ältere Nachrichten',
  'Newer messages': 'Neuere Nachrichten',
  'No messages with this wallet': 'Keine Nachrichten mit dieser Wallet',
  'Write the first one below.': 'Schreiben Sie unten die erste.',
  'Messages between both wallets appear here.': 'Nachrichten zwischen beiden Wallets erscheinen hier.',
  'The messages are marked as read': 'Nachrichten als gelesen markiert',
  'Mark as read': 'Als gelesen markieren',
  'This wallet': 'Diese Wallet',
  'Reply to message {replyTo}': 'Auf Nachricht {replyTo} antworten',
  // pages/wallets/profile-section.tsx
  Photo: 'Foto',
  'Add profile': 'Profil hinzufügen',
  'The profile is saved': 'Profil gespeichert',
  'This wallet has no profile': 'Diese Wallet hat kein Profil',
  'Add one to show a name instead of the address.':
    'Fügen Sie eines hinzu, um statt der Adresse einen Namen zu zeigen.',
  'The console shows its address instead of a name.': 'Die Konsole zeigt ihre Adresse statt eines Namens.',
  'Edit profile': 'Profil bearbeiten',
  Profile: 'Profil',
  'Photo of {name}': 'Foto von {name}',
  // pages/wallets/wallet-page.tsx
  'Wallet {name}': 'Wallet {name}',
  'Tokens of this wallet': 'Token dieser Wallet',
  'Parts of the wallet': 'Bereiche der Wallet',
  Messages: 'Nachrichten',
  // pages/wallets/wallets-page.tsx
  'Your wallet': 'Ihre Wallet',
  'Profiles of wallets, their address books, followers and messages. Here are the profiles that changed within the time for which the gateway keeps events.':
    'Profile von Wallets, ihre Adressbücher, Follower und Nachrichten. Hier stehen Profile, die sich in der Zeit geändert haben, für die das Gateway Ereignisse aufbewahrt.',
  'Open a wallet by its address': 'Wallet über ihre Adresse öffnen',
  About: 'Info',
  'No profiles yet': 'Noch keine Profile',
  'Enter the address of a wallet above. Its profile can be added on its page.':
    'Geben Sie oben die Adresse einer Wallet ein. Auf ihrer Seite kann ihr Profil hinzugefügt werden.',
  'Enter the address of a wallet above to see its page.':
    'Geben Sie oben die Adresse einer Wallet ein, um ihre Seite zu sehen.',
  'The gateway has more events about wallets than were read. Open others by their address.':
    'Das Gateway hat mehr Ereignisse zu Wallets, als gelesen wurden. Öffnen Sie andere über ihre Adresse.',
  // pages/webhooks/deliveries-section.tsx
  Deliveries: 'Zustellungen',
  Event: 'Event',
  'Event||webhook': 'Ereignis',
  Attempts: 'Versuche',
  'Last response': 'Letzte Antwort',
  'Next attempt': 'Nächster Versuch',
  'No deliveries yet': 'Noch keine Zustellungen',
  'Deliveries appear when an event happens. Send a test message to try the receiver now.':
    'Zustellungen erscheinen, wenn ein Ereignis eintritt. Senden Sie jetzt eine Testnachricht, um den Empfänger zu prüfen.',
  'Deliveries appear when an event happens.': 'Zustellungen erscheinen, wenn ein Ereignis eintritt.',
  // pages/webhooks/delivery-dialog.tsx
  'The delivery is sent again': 'Zustellung erneut gesendet',
  'Delivery of {eventType}': 'Zustellung von {eventType}',
  'Send again': 'Erneut senden',
  'A test message, which is not in the feed': 'Eine Testnachricht, die nicht zu den Ereignissen zählt',
  'Number {sequence}': 'Nummer {sequence}',
  'No attempt yet. This page shows it as soon as it is made.':
    'Noch kein Versuch. Diese Seite zeigt ihn, sobald er stattfindet.',
  '{attempt} after {durationMs} ms': '{attempt} nach {durationMs} ms',
  // pages/webhooks/event-picker.tsx
  'All events': 'Alle Ereignisse',
  'Also those of types that a later version adds.': 'Auch Typen, die eine spätere Version hinzufügt.',
  'Only some types': 'Nur einige Typen',
  '{chosen} of {count}': '{chosen} von {count}',
  'All of {pattern}, also later ones': 'Alle von {pattern}, auch spätere',
  // pages/webhooks/range-dialog.tsx
  'The time zone of this device.': 'Die Zeitzone dieses Geräts.',
  'Also send events that were delivered': 'Auch zugestellte Ereignisse senden',
  'Receivers recognize them by their id, which stays the same.':
    'Empfänger erkennen sie an ihrer ID, die gleich bleibt.',
  'For a receiver that was down or lost data. Events that the webhook subscribes to and has not received are sent, also those from before it existed.':
    'Für einen Empfänger, der ausgefallen war oder Daten verloren hat. Gesendet werden Ereignisse, die der Webhook abonniert und nicht erhalten hat, auch aus der Zeit, bevor es ihn gab.',
  'Nothing to send': 'Nichts zu senden',
  'No stored event of the chosen types happened in this time.':
    'In dieser Zeit gab es kein gespeichertes Ereignis der gewählten Typen.',
  'Up to {quantity} happened in this time; only the subscribed types are sent':
    'Bis zu {quantity} in dieser Zeit; nur die abonnierten Typen werden gesendet',
  '{quantity} of the subscribed types happened in this time':
    '{quantity} der abonnierten Typen in dieser Zeit',
  'All of them are sent, also those that were delivered.': 'Alle werden gesendet, auch bereits zugestellte.',
  'Those that were delivered, or are being delivered, are not sent again.':
    'Was zugestellt ist oder gerade zugestellt wird, wird nicht noch einmal gesendet.',
  'Messages are sent in the order of the feed, within the rate limit of the webhook.':
    'Nachrichten werden in der Reihenfolge der Ereignisse gesendet, im Rahmen des Ratenlimits des Webhooks.',
  '{count, plural, one {# delivery started. It appears in the list.} other {# deliveries started. They appear in the list.}}':
    '{count, plural, one {# Zustellung gestartet. Sie erscheint in der Liste.} other {# Zustellungen gestartet. Sie erscheinen in der Liste.}}',
  Close: 'Schließen',
  // pages/webhooks/webhook-form.tsx
  'An https address that receives the events. Or mailto: and the address of a person of this project, who gets mails.':
    'Eine https-Adresse, die die Ereignisse empfängt. Oder mailto: und die Adresse einer Person dieses Projekts, die dann E-Mails erhält.',
  'What receives the events, for your colleagues.': 'Was die Ereignisse empfängt, für Ihre Kollegen.',
  'Messages per second': 'Nachrichten pro Sekunde',
  'The most messages per second, up to 1,000. 0 for no limit.':
    'Höchstens so viele Nachrichten pro Sekunde, bis 1.000. 0: kein Limit.',
  'Choose at least one type, or all events': 'Wählen Sie mindestens einen Typ oder alle Ereignisse',
  'Create a webhook': 'Webhook erstellen',
  'Change the webhook': 'Webhook ändern',
  'The webhook is changed and enabled': 'Webhook geändert und aktiviert',
  'The webhook is changed': 'Webhook geändert',
  'It is disabled now. Once it is saved, new events are sent to it. Cancel to keep it disabled and unchanged.':
    'Er ist jetzt deaktiviert. Sobald er gespeichert ist, werden neue Ereignisse an ihn gesendet. Brechen Sie ab, damit er deaktiviert und unverändert bleibt.',
  'Create webhook': 'Webhook erstellen',
  // pages/webhooks/webhook-page.tsx
  'Hours of overlap': 'Überschneidung in Stunden',
  'For so long messages are signed with both secrets, so that you can replace the secret of your receiver without losing any: 0 to 168.':
    'So lange werden Nachrichten mit beiden Geheimnissen signiert, damit Sie das Geheimnis Ihres Empfängers ersetzen können, ohne eine zu verlieren: 0 bis 168.',
  'Replace the secret?': 'Geheimnis ersetzen?',
  'Remove the webhook for {url}?': 'Webhook für {url} entfernen?',
  'Pending deliveries are not sent, and the list of deliveries is gone. This cannot be undone.':
    'Ausstehende Zustellungen werden nicht gesendet, und die Liste der Zustellungen ist weg. Das kann nicht rückgängig gemacht werden.',
  'The webhook is removed': 'Webhook entfernt',
  'Send a range again': 'Zeitraum erneut senden',
  'Send a test': 'Test senden',
  'More actions': 'Weitere Aktionen',
  'Deliveries have failed since {time}': 'Zustellungen schlagen seit {time} fehl',
  'The gateway tries each delivery again, up to five days. Look at the attempts below, correct the receiver, and send a test message.':
    'Das Gateway versucht jede Zustellung bis zu fünf Tage lang erneut. Sehen Sie sich unten die Versuche an, korrigieren Sie den Empfänger, und senden Sie eine Testnachricht.',
  'The webhook is enabled': 'Webhook aktiviert',
  'The gateway has disabled this webhook': 'Das Gateway hat diesen Webhook deaktiviert',
  'All deliveries had failed for five days. Correct the receiver, enable the webhook, then send the missed events again.':
    'Fünf Tage lang sind alle Zustellungen fehlgeschlagen. Korrigieren Sie den Empfänger, aktivieren Sie den Webhook, und senden Sie dann die verpassten Ereignisse erneut.',
  Enable: 'Aktivieren',
  Rate: 'Rate',
  'The previous secret signs until': 'Das bisherige Geheimnis signiert bis',
  // pages/webhooks/webhook-secret.ts
  'The signing secret': 'Das Signaturgeheimnis',
  'It is shown only once. Your receiver verifies with it that messages come from this gateway.':
    'Es wird nur einmal angezeigt. Damit prüft Ihr Empfänger, dass Nachrichten von diesem Gateway kommen.',
  'Messages are signed with the previous secret too until {previousSecretExpireTime}.':
    'Bis {previousSecretExpireTime} werden Nachrichten auch mit dem bisherigen Geheimnis signiert.',
  // pages/webhooks/webhook-status.tsx
  Working: 'Funktioniert',
  Failing: 'Gestört',
  Disabled: 'Deaktiviert',
  '{first} and {length} more': '{first} und {length} weitere',
  '{maxPerSecond} per second': '{maxPerSecond} pro Sekunde',
  Pending: 'Ausstehend',
  Delivered: 'Zugestellt',
  'No response': 'Keine Antwort',
  'HTTP {responseStatus}': 'HTTP {responseStatus}',
  // pages/webhooks/webhooks-page.tsx
  'Where the gateway sends events as they happen: to your programs, or as mails to people of this project.':
    'Wohin das Gateway Ereignisse sendet, sobald sie eintreten: an Ihre Programme oder als E-Mails an Personen dieses Projekts.',
  'No webhooks yet': 'Noch keine Webhooks',
  'Create one for the program that should react to events, such as your shop.':
    'Erstellen Sie einen für das Programm, das auf Ereignisse reagieren soll, etwa Ihren Shop.',
  'The programs that receive the events of the project appear here.':
    'Die Programme, die die Ereignisse des Projekts empfangen, erscheinen hier.',
  // texts/account.ts
  'Turn on': 'Einschalten',
  'Turn off': 'Ausschalten',
  'New backup codes': 'Neue Backup-Codes',
  'Confirm with your password': 'Mit Ihrem Passwort bestätigen',
  Passkeys: 'Passkeys',
  'Add a passkey': 'Passkey hinzufügen',
  'Where you are signed in': 'Wo Sie angemeldet sind',
  // texts/audit.ts
  Deleted: 'Gelöscht',
  'Address book entry': 'Adressbucheintrag',
  'API key': 'API-Schlüssel',
  Auction: 'Auktion',
  'Settings of cards': 'Karteneinstellungen',
  'Card verification': 'Kartenscan',
  Card: 'Karte',
  Fan: 'Fan',
  Follow: 'Gefolgte Wallet',
  Listing: 'Inserat',
  'Role of a person': 'Rolle einer Person',
  'Mint collection': 'Mint-Kollektion',
  'Mint phase': 'Mint-Phase',
  'Mint reservation': 'Mint-Reservierung',
  'Whitelist entry': 'Whitelist-Eintrag',
  'Mintable NFT': 'Mintbares NFT',
  'Minter key': 'Minter-Schlüssel',
  NFT: 'NFT',
  Offer: 'Kaufangebot',
  Project: 'Projekt',
  'Publishable key': 'Veröffentlichbarer Schlüssel',
  'Change of token data': 'Änderung von Token-Daten',
  Transfer: 'Übertragung',
  'Wallet profile': 'Wallet-Profil',
  Webhook: 'Webhook',
  'Invitation of an operator': 'Einladung eines Betreibers',
  'Password or identity provider': 'Passwort oder Identitätsanbieter',
  'Authenticator app': 'Authentifizierungs-App',
  'Ended session of the database': 'Beendete Datenbanksitzung',
  '{count, plural, one {# entry} other {# entries}}': '{count, plural, one {# Eintrag} other {# Einträge}}',
  '{problem}. Intact before it: {entries}. Tell the operator of the server at once, who keeps a copy of the database before anything else and compares it with backups. Nothing repairs a log.':
    '{problem}. Davor unversehrt: {entries}. Informieren Sie sofort den Betreiber des Servers, der vor allem anderen eine Kopie der Datenbank sichert und sie mit Backups vergleicht. Ein Protokoll lässt sich nicht reparieren.',
  '{problem}. Intact before it: {entries}. Keep a copy of the database before anything else, and compare it with backups. Nothing repairs a log.':
    '{problem}. Davor unversehrt: {entries}. Sichern Sie vor allem anderen eine Kopie der Datenbank, und vergleichen Sie sie mit Backups. Ein Protokoll lässt sich nicht reparieren.',
  // texts/campaigns.ts
  Used: 'Genutzt',
  'Used||card': 'Aufgebraucht',
  'Refused scans': 'Abgelehnte Scans',
  'Stores and days': 'Filialen und Tage',
  // texts/card-import.ts
  '{count, plural, one {# row} other {# rows}}': '{count, plural, one {# Zeile} other {# Zeilen}}',
  'The file is empty': 'Die Datei ist leer',
  'Its first row must name the columns, and a row for each card follows.':
    'Die erste Zeile muss die Spalten benennen, danach folgt eine Zeile pro Karte.',
  'The file is too large': 'Die Datei ist zu groß',
  'Divide it into files of at most 20 MB and 50,000 rows, or use the command line.':
    'Teilen Sie sie in Dateien mit höchstens 20 MB und 50.000 Zeilen auf, oder verwenden Sie die Kommandozeile.',
  'Line {line}: a quoted cell does not end': 'Zeile {line}: Eine Zelle in Anführungszeichen endet nicht',
  'Add the missing quote, or save the file from the spreadsheet again.':
    'Ergänzen Sie das fehlende Anführungszeichen, oder speichern Sie die Datei in der Tabellenkalkulation neu.',
  'Line {line}: something follows a closing quote':
    'Zeile {line}: Nach einem schließenden Anführungszeichen folgt etwas',
  'Double the quotes inside of a cell, or save the file from the spreadsheet again.':
    'Verdoppeln Sie die Anführungszeichen innerhalb einer Zelle, oder speichern Sie die Datei in der Tabellenkalkulation neu.',
  'Line {line}: a cell without quotes has a quote':
    'Zeile {line}: Eine Zelle ohne Anführungszeichen enthält eines',
  'Put the cell into quotes and double the quote inside, or save the file from the spreadsheet again.':
    'Setzen Sie die Zelle in Anführungszeichen und verdoppeln Sie das innere, oder speichern Sie die Datei in der Tabellenkalkulation neu.',
  'The file cannot be read': 'Die Datei kann nicht gelesen werden',
  'Choose it again. It may have been changed or moved.':
    'Wählen Sie sie noch einmal aus. Vielleicht wurde sie geändert oder verschoben.',
  '{count, plural, one {# row} other {# rows}} can be imported':
    '{count, plural, one {# Zeile kann} other {# Zeilen können}} importiert werden',
  '{count, plural, one {# row has a problem} other {# rows have problems}}':
    '{count, plural, one {# Zeile hat ein Problem} other {# Zeilen haben Probleme}}',
  'Import {count, plural, one {# card} other {# cards}}':
    '{count, plural, one {# Karte} other {# Karten}} importieren',
  '{count, plural, one {# row was} other {# rows were}} imported before':
    '{count, plural, one {# Zeile wurde} other {# Zeilen wurden}} schon importiert',
  'Progress of the import': 'Fortschritt des Imports',
  '{count, plural, one {# card is} other {# cards are}} created':
    '{count, plural, one {# Karte} other {# Karten}} erstellt',
  '{count, plural, one {# row was} other {# rows were}} not imported':
    '{count, plural, one {# Zeile} other {# Zeilen}} nicht importiert',
  '{count, plural, one {# row was left out: an equal row was imported from another file} other {# rows were left out: equal rows were imported from other files}}':
    '{count, plural, one {# Zeile ausgelassen: Eine gleiche Zeile wurde aus einer anderen Datei importiert} other {# Zeilen ausgelassen: Gleiche Zeilen wurden aus anderen Dateien importiert}}',
  'Of {count, plural, one {# row it is not known whether it was} other {# rows it is not known whether they were}} imported':
    'Bei {count, plural, one {# Zeile} other {# Zeilen}} ist nicht bekannt, ob der Import erfolgt ist',
  // texts/cards.ts
  'Promo code cards': 'Gutscheinkarten',
  'Promo code': 'Gutschein',
  'Promo code card': 'Gutscheinkarte',
  'Customers redeem them at the counter, such as a free coffee. A card can have several uses.':
    'Kunden lösen sie an der Kasse ein, etwa für einen Gratis-Kaffee. Eine Karte kann mehrere Nutzungen haben.',
  'Create promo code card': 'Gutscheinkarte erstellen',
  Uses: 'Nutzungen',
  '{count, plural, one {# use} other {# uses}}': '{count, plural, one {# Nutzung} other {# Nutzungen}}',
  'Event cards': 'Eintrittskarten',
  'Event card': 'Eintrittskarte',
  'Guests check in with them, once each.': 'Gäste checken damit ein, jeder einmal.',
  'Create event card': 'Eintrittskarte erstellen',
  Entrance: 'Einlass',
  '{count} issued': '{count} ausgestellt',
  'Membership cards': 'Mitgliedskarten',
  Membership: 'Mitgliedschaft',
  'Membership card': 'Mitgliedskarte',
  'Members show them at each visit. They count once a day in each store.':
    'Mitglieder zeigen sie bei jedem Besuch. Jede zählt in jeder Filiale einmal am Tag.',
  'Create membership card': 'Mitgliedskarte erstellen',
  'Commemorative cards': 'Erinnerungskarten',
  Commemorative: 'Erinnerung',
  'Commemorative card': 'Erinnerungskarte',
  'They remember an occasion. Nothing is redeemed with them.':
    'Karten zur Erinnerung an einen Anlass. Mit ihnen wird nichts eingelöst.',
  'Create commemorative card': 'Erinnerungskarte erstellen',
  'Not valid yet': 'Noch nicht gültig',
  'Card {id}': 'Karte {id}',
  'QR code': 'QR-Code',
  'What customers read on the card, at most 200 characters.':
    'Was Kunden auf der Karte lesen, höchstens 200 Zeichen.',
  'The NFT contract that the card belongs to. Without one, it belongs to the cards of the project.':
    'Der NFT-Smart-Contract, zu dem die Karte gehört. Ohne ihn gehört sie zu den Karten des Projekts.',
  'Contract address': 'Adresse des Smart Contracts',
  'The address of the NFT contract that the card belongs to. Without one, it belongs to the cards of the project.':
    'Die Adresse des NFT-Smart-Contracts, zu dem die Karte gehört. Ohne ihn gehört sie zu den Karten des Projekts.',
  'The id of one token of the contract. Empty for any of them.':
    'Die ID eines Tokens des Smart Contracts. Leer: ein beliebiger.',
  'How often the card can be redeemed, at least once.':
    'Wie oft die Karte eingelöst werden kann, mindestens einmal.',
  'How many are issued, at least 1.': 'Wie viele ausgestellt werden, mindestens 1.',
  'In the time zone of this device.': 'In der Zeitzone dieses Geräts.',
  'After that, the card is refused.': 'Danach wird die Karte abgelehnt.',
  'Extended until': 'Verlängert bis',
  'Accepts the card for longer than printed on it. Without a change, it is valid as long as the card.':
    'Nimmt die Karte länger an, als auf ihr steht. Ohne Änderung gilt sie so lange, wie auf ihr steht.',
  Benefits: 'Vorteile',
  'What members get, one in each line.': 'Was Mitglieder erhalten, ein Vorteil pro Zeile.',
  Instructions: 'Anleitung',
  'What the owner of the card has to do to use it.': 'Was der Karteninhaber tun muss, um sie zu verwenden.',
  'The stores that accept the card, one in each line. Empty for all stores.':
    'Die Filialen, die die Karte annehmen, eine pro Zeile. Leer: alle Filialen.',
  'Where the card is accepted. Choose none for all stores.':
    'Wo die Karte angenommen wird. Keine Auswahl: alle Filialen.',
  Logo: 'Logo',
  'The address of a picture (https), or a file.': 'Adresse eines Bilds (https) oder Datei.',
  Background: 'Hintergrund',
  'Name of the shop': 'Name des Shops',
  'What customers read at the top of every card.': 'Was Kunden oben auf jeder Karte lesen.',
  'Logo of the shop': 'Logo des Shops',
  Color: 'Farbe',
  'As # and six digits from 0 to 9 and a to f, such as #7a1f3d.':
    'Als # und sechs Zeichen von 0 bis 9 und a bis f, etwa #7a1f3d.',
  'Enter a color such as #7a1f3d': 'Geben Sie eine Farbe wie #7a1f3d ein',
  'Minutes to undo a scan': 'Minuten zum Zurücknehmen eines Scans',
  'How long staff can undo their own scans, at most 10,080 minutes. 0: never.':
    'Wie lange das Personal eigene Scans zurücknehmen kann, höchstens 10.080 Minuten. 0: nie.',
  'Undone scans per day': 'Zurückgenommene Scans pro Tag',
  'How many scans each of the staff can undo in a day, at most 10,000.':
    'Wie viele Scans jede Person pro Tag zurücknehmen kann, höchstens 10.000.',
  'The pages of cards show what is saved. Open the newest card of a kind as customers see it.':
    'Die Seiten der Karten zeigen, was gespeichert ist. Öffnen Sie die neueste Karte einer Art, wie Kunden sie sehen.',
  'Not valid in this store': 'In dieser Filiale nicht gültig',
  'Campaign paused': 'Kampagne pausiert',
  'Campaign ended': 'Kampagne beendet',
  Unknown: 'Unbekannt',
  'Print {cards}': '{cards} drucken',
  '{labels, plural, one {# QR code} other {# QR codes}} on {sheets, plural, one {# page} other {# pages}}':
    '{labels, plural, one {# QR-Code} other {# QR-Codes}} auf {sheets, plural, one {# Seite} other {# Seiten}}',
  'These are the cards from number {first} on': 'Das sind die Karten ab Nummer {first}',
  '{max} cards are printed at a time.': '{max} Karten werden auf einmal gedruckt.',
  '{count, plural, one {# card has a QR code of its own and is} other {# cards have QR codes of their own and are}} not printed':
    '{count, plural, one {# Karte hat einen eigenen QR-Code und wird} other {# Karten haben eigene QR-Codes und werden}} nicht gedruckt',
  '{count, plural, one {# of these cards has} other {# of these cards have}} expired':
    '{count, plural, one {# dieser Karten ist} other {# dieser Karten sind}} abgelaufen',
  // texts/contracts.ts
  'ERC-721: each token exists once': 'ERC-721: Jeden Token gibt es einmal',
  'ERC-1155: tokens have editions': 'ERC-1155: Token haben Auflagen',
  Owners: 'Inhaber',
  'Image of {name}': 'Bild von {name}',
  // texts/errors.ts
  'Some values are not valid': 'Einige Werte sind ungültig',
  'Correct the marked fields and try again.':
    'Korrigieren Sie die markierten Felder, und versuchen Sie es noch einmal.',
  'This was not done, because your session had ended':
    'Das wurde nicht ausgeführt, weil Ihre Sitzung beendet war',
  'Try again as soon as you are signed in.': 'Versuchen Sie es noch einmal, sobald Sie angemeldet sind.',
  'You are not allowed to do this': 'Dazu haben Sie keine Berechtigung',
  'Ask an owner of the project to do it, or to change your role.':
    'Bitten Sie einen Inhaber des Projekts, das zu tun oder Ihre Rolle zu ändern.',
  'This does not exist': 'Das gibt es nicht',
  'It may have been removed, or it belongs to another project.':
    'Vielleicht wurde es entfernt, oder es gehört zu einem anderen Projekt.',
  'This was changed or exists already': 'Das wurde geändert oder gibt es schon',
  'Reload the page to see the current state, then try again.':
    'Laden Sie die Seite neu, um den aktuellen Stand zu sehen, und versuchen Sie es noch einmal.',
  'The balance does not cover this': 'Das Guthaben reicht dafür nicht',
  'Deposit more, or raise the quota of the payer.':
    'Zahlen Sie mehr ein, oder erhöhen Sie das Kontingent des Zahlers.',
  'Too many requests': 'Zu viele Anfragen',
  'Wait a moment, then try again.': 'Warten Sie einen Moment, und versuchen Sie es noch einmal.',
  'The server refused this': 'Der Server hat das abgelehnt',
  'Check the current state and try again.':
    'Prüfen Sie den aktuellen Stand, und versuchen Sie es noch einmal.',
  'The server failed': 'Fehler auf dem Server',
  'Try again. If it fails again, send the request id to an operator.':
    'Versuchen Sie es noch einmal. Tritt der Fehler wieder auf, senden Sie die Anfrage-ID an einen Betreiber.',
  'The server did not respond in time': 'Der Server hat nicht rechtzeitig geantwortet',
  'Check your connection and try again.': 'Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.',
  'The server cannot be reached': 'Der Server ist nicht erreichbar',
  'It is not known whether this was done': 'Es ist nicht bekannt, ob das ausgeführt wurde',
  'Check the current state before you repeat it. Trying again here does not do it twice.':
    'Prüfen Sie den aktuellen Stand, bevor Sie es wiederholen. Wenn Sie es hier noch einmal versuchen, geschieht es nicht doppelt.',
  'The response of the server is not what the console expects':
    'Die Antwort des Servers ist nicht die, die die Konsole erwartet',
  'Reload the page: the server may have been updated.':
    'Laden Sie die Seite neu: Vielleicht wurde der Server aktualisiert.',
  'The facilitator cannot be reached': 'Der Facilitator ist nicht erreichbar',
  'Nothing was changed. Check that it runs, and the setting FACILITATOR_URL of this server.':
    'Nichts wurde geändert. Prüfen Sie, ob er läuft, und die Einstellung FACILITATOR_URL dieses Servers.',
  'The facilitator did not respond in time': 'Der Facilitator hat nicht rechtzeitig geantwortet',
  'A change may have been made: look at the current state first. Trying again here does not do it twice.':
    'Vielleicht wurde etwas geändert: Sehen Sie sich zuerst den aktuellen Stand an. Wenn Sie es hier noch einmal versuchen, geschieht es nicht doppelt.',
  'The facilitator refuses this server': 'Der Facilitator lehnt diesen Server ab',
  'Set FACILITATOR_OPERATOR_TOKEN of this server to the OPERATOR_TOKEN of the facilitator.':
    'Setzen Sie FACILITATOR_OPERATOR_TOKEN dieses Servers auf den Wert von OPERATOR_TOKEN des Facilitators.',
  'FACILITATOR_URL leads to no operator interface': 'FACILITATOR_URL führt zu keiner Betreiberschnittstelle',
  'Set OPERATOR_TOKEN of the facilitator, and check its version and the setting FACILITATOR_URL of this server.':
    'Setzen Sie OPERATOR_TOKEN des Facilitators, und prüfen Sie seine Version und die Einstellung FACILITATOR_URL dieses Servers.',
  'This wallet has an account already': 'Diese Wallet hat schon ein Konto',
  'Search the accounts for the wallet.': 'Suchen Sie in den Konten nach der Wallet.',
  'The balance would be too large': 'Das Guthaben würde zu groß',
  'Credit a smaller amount.': 'Schreiben Sie einen kleineren Betrag gut.',
  'This decision is not possible': 'Diese Entscheidung ist nicht möglich',
  'Something has changed since you opened the page. Reload it, and decide again.':
    'Seit Sie die Seite geöffnet haben, hat sich etwas geändert. Laden Sie sie neu, und entscheiden Sie noch einmal.',
  'The chain can be read, so it decides': 'Die Blockchain ist lesbar, also entscheidet sie',
  'Wait until the facilitator has read the outcome. Decide yourself only if that can never happen.':
    'Warten Sie, bis der Facilitator das Ergebnis gelesen hat. Entscheiden Sie nur selbst, wenn das nie geschehen kann.',
  'The outcome of this settlement is not unknown any more':
    'Das Ergebnis dieser Abwicklung steht inzwischen fest',
  'The facilitator or another operator was faster. Reload the page to see it.':
    'Der Facilitator oder ein anderer Betreiber war schneller. Laden Sie die Seite neu, um es zu sehen.',
  'The chain cannot be read at present': 'Die Blockchain ist zurzeit nicht lesbar',
  'Nothing was stored. Try again in a minute.':
    'Nichts wurde gespeichert. Versuchen Sie es in einer Minute noch einmal.',
  'These events were deleted because of their age': 'Diese Ereignisse wurden wegen ihres Alters gelöscht',
  'Start from the oldest stored event.': 'Beginnen Sie beim ältesten gespeicherten Ereignis.',
  'This project has an owner already': 'Dieses Projekt hat schon einen Inhaber',
  'An owner invites everybody else on the page People.':
    'Alle anderen lädt ein Inhaber auf der Seite „Personen“ ein.',
  'This report has more than 1,000 rows': 'Dieser Bericht hat mehr als 1.000 Zeilen',
  'Choose a shorter period, or months instead of days.':
    'Wählen Sie einen kürzeren Zeitraum oder Monate statt Tage.',
  'This person is the last operator of the server': 'Diese Person ist der letzte Betreiber des Servers',
  'Add another operator first.': 'Fügen Sie zuerst einen anderen Betreiber hinzu.',
  'This person is the last owner of the project': 'Diese Person ist der letzte Inhaber des Projekts',
  'Make another person an owner first.': 'Machen Sie zuerst eine andere Person zum Inhaber.',
  'This person is in the project already': 'Diese Person gehört schon zum Projekt',
  'Change the role of the person in the list.': 'Ändern Sie die Rolle der Person in der Liste.',
  'You cannot give a key more rights than you have':
    'Sie können einem Schlüssel nicht mehr Rechte geben, als Sie haben',
  'Remove some scopes, or ask an owner to create the key.':
    'Entfernen Sie einige Berechtigungen, oder bitten Sie einen Inhaber, den Schlüssel zu erstellen.',
  'The project has reached its limit of people and open invitations':
    'Das Projekt hat die Höchstzahl an Personen und offenen Einladungen erreicht',
  'Remove people, or revoke invitations that nobody accepts.':
    'Entfernen Sie Personen, oder widerrufen Sie Einladungen, die niemand annimmt.',
  'The project has reached its limit of active keys':
    'Das Projekt hat die Höchstzahl an aktiven Schlüsseln erreicht',
  'Revoke keys that are no longer used.': 'Widerrufen Sie Schlüssel, die nicht mehr verwendet werden.',
  'The project has reached its limit of webhooks': 'Das Projekt hat die Höchstzahl an Webhooks erreicht',
  'Remove a webhook that is no longer used.': 'Entfernen Sie einen Webhook, der nicht mehr verwendet wird.',
  'The project stores as many pictures as it may': 'Das Projekt speichert so viele Bilder, wie es darf',
  'Remove pictures from records that need none. A day later there is room again.':
    'Entfernen Sie Bilder von Datensätzen, die keines brauchen. Einen Tag später ist wieder Platz.',
  'The card was used more often than this total allows':
    'Die Karte wurde öfter genutzt, als diese Zahl erlaubt',
  'Enter a total that is at least the number of uses.':
    'Geben Sie mindestens so viele ein, wie die Karte Nutzungen hat.',
  'This device has already used this scan for another card':
    'Dieses Gerät hat diesen Scan schon für eine andere Karte verwendet',
  'Scan the card again.': 'Scannen Sie die Karte noch einmal.',
  'The seller does not own enough tokens': 'Dem Verkäufer gehören nicht genug Token',
  'Lower the quantity, or close other listings of the token.':
    'Verringern Sie die Menge, oder schließen Sie andere Inserate des Tokens.',
  'The listing is no longer open': 'Das Inserat ist nicht mehr offen',
  'It is sold or was closed. Create a new listing.':
    'Es ist verkauft oder wurde geschlossen. Erstellen Sie ein neues Inserat.',
  'Another coupon of the project has this code': 'Ein anderer Coupon des Projekts hat diesen Code',
  'Choose another code.': 'Wählen Sie einen anderen Code.',
  'The auction is not open': 'Die Auktion ist nicht offen',
  'It has not started, has ended, or was cancelled.':
    'Sie hat nicht begonnen, ist beendet oder wurde storniert.',
  'The auction has bids': 'Die Auktion hat Gebote',
  'An auction with bids cannot be cancelled. Wait for its end.':
    'Eine Auktion mit Geboten kann nicht storniert werden. Warten Sie ihr Ende ab.',
  'The offer is no longer open': 'Das Kaufangebot ist nicht mehr offen',
  'It was accepted, rejected or cancelled, or has expired.':
    'Es wurde angenommen, abgelehnt oder storniert oder ist abgelaufen.',
  'The offer is for other owners too': 'Das Kaufangebot gilt auch für andere Inhaber',
  'They can still accept it, so it stays open.':
    'Andere Inhaber können es noch annehmen, deshalb bleibt es offen.',
  'The offer does not belong to this wallet': 'Das Kaufangebot gehört nicht zu dieser Wallet',
  'Use the wallet that made the offer, or that owns the token.':
    'Verwenden Sie die Wallet, die das Kaufangebot abgegeben hat oder der der Token gehört.',
  'This payment cannot be given back here': 'Diese Zahlung kann hier nicht zurückgegeben werden',
  'The order is still being checked, it was delivered, or its payment counts for another order. Reload the page, or ask an operator.':
    'Die Bestellung wird noch geprüft, wurde geliefert, oder ihre Zahlung zählt für eine andere Bestellung. Laden Sie die Seite neu, oder fragen Sie einen Betreiber.',
  'The chain has not confirmed the transaction yet':
    'Die Blockchain hat die Transaktion noch nicht bestätigt',
  'Wait a minute and press again. If it takes long, check the hash.':
    'Warten Sie eine Minute, und versuchen Sie es noch einmal. Dauert es lange, prüfen Sie den Hash.',
  'This transaction did not pay the buyer back': 'Diese Transaktion ist keine Erstattung an den Käufer',
  'It must move the token of the order from the wallet of the seller to the wallet of the buyer, after the order was placed. Check the hash.':
    'Sie muss den Token der Bestellung von der Wallet des Verkäufers zur Wallet des Käufers übertragen, nachdem die Bestellung aufgegeben wurde. Prüfen Sie den Hash.',
  'The transaction counts for another order': 'Die Transaktion zählt für eine andere Bestellung',
  'One transaction counts for one order. Check the hash.':
    'Eine Transaktion zählt für eine Bestellung. Prüfen Sie den Hash.',
  'This order has too many transactions': 'Diese Bestellung hat zu viele Transaktionen',
  'At most 20 transactions are recorded for an order.':
    'Für eine Bestellung werden höchstens 20 Transaktionen erfasst.',
  'This order can no longer be cancelled': 'Diese Bestellung kann nicht mehr storniert werden',
  'Only an order that waits for its payment can be cancelled.':
    'Nur eine Bestellung, die auf ihre Zahlung wartet, kann storniert werden.',
  'The email address or the password is wrong': 'E-Mail-Adresse oder Passwort ist falsch',
  'Check both and try again.': 'Prüfen Sie beides, und versuchen Sie es noch einmal.',
  'This is not an email address': 'Das ist keine E-Mail-Adresse',
  'Check the address and try again.': 'Prüfen Sie die Adresse, und versuchen Sie es noch einmal.',
  'The password is wrong': 'Das Passwort ist falsch',
  'Enter your current password.': 'Geben Sie Ihr aktuelles Passwort ein.',
  'The password is too short': 'Das Passwort ist zu kurz',
  'Use at least 12 characters.': 'Verwenden Sie mindestens 12 Zeichen.',
  'The password is too long': 'Das Passwort ist zu lang',
  'Use at most 256 characters.': 'Verwenden Sie höchstens 256 Zeichen.',
  'This link does not work any more': 'Dieser Link funktioniert nicht mehr',
  'It works once, for an hour. Request a new one on the sign-in page.':
    'Er funktioniert einmal, eine Stunde lang. Fordern Sie auf der Anmeldeseite einen neuen an.',
  'The code is wrong': 'Der Code ist falsch',
  'Enter the newest code of your app.': 'Geben Sie den neuesten Code Ihrer App ein.',
  'The backup code is wrong or was used': 'Der Backup-Code ist falsch oder wurde schon verwendet',
  'Each backup code works once. Enter another one.':
    'Jeder Backup-Code gilt einmal. Geben Sie einen anderen ein.',
  'The sign-in took too long': 'Die Anmeldung hat zu lange gedauert',
  'Enter your password again.': 'Geben Sie Ihr Passwort noch einmal ein.',
  'Too many wrong codes': 'Zu viele falsche Codes',
  'Your account is locked for a while. Try again later.':
    'Ihr Konto ist eine Weile gesperrt. Versuchen Sie es später noch einmal.',
  'You signed in too long ago for this change': 'Für diese Änderung liegt Ihre Anmeldung zu lange zurück',
  'Sign out, sign in again, and repeat it.':
    'Melden Sie sich ab und wieder an, und wiederholen Sie die Änderung.',
  'This passkey is not known here': 'Dieser Passkey ist hier nicht bekannt',
  'It may have been removed. Sign in with your password.':
    'Vielleicht wurde er entfernt. Melden Sie sich mit Ihrem Passwort an.',
  'This device has a passkey already': 'Dieses Gerät hat schon einen Passkey',
  'Use it to sign in, or remove it from the list first.':
    'Melden Sie sich damit an, oder entfernen Sie ihn zuerst aus der Liste.',
  'No passkey was used': 'Es wurde kein Passkey verwendet',
  'The request was closed or took too long. Try again.':
    'Die Abfrage wurde geschlossen oder dauerte zu lange. Versuchen Sie es noch einmal.',
  'This browser does not support passkeys': 'Dieser Browser unterstützt keine Passkeys',
  'Sign in with your password, or update the browser.':
    'Melden Sie sich mit Ihrem Passwort an, oder aktualisieren Sie den Browser.',
  'Something went wrong': 'Etwas ist schiefgegangen',
  'Reload the page. If it happens again, tell an operator what you did.':
    'Laden Sie die Seite neu. Geschieht es wieder, sagen Sie einem Betreiber, was Sie getan haben.',
  'You are offline': 'Sie sind offline',
  'The console continues when the connection is back.':
    'Die Konsole läuft weiter, sobald die Verbindung wieder da ist.',
  'Your role is {role}. Ask an owner of the project to do it, or to change your role.':
    'Ihre Rolle: {role}. Bitten Sie einen Inhaber des Projekts, das zu tun oder Ihre Rolle zu ändern.',
  'Try again in {seconds} seconds.': 'Versuchen Sie es in {seconds} Sekunden noch einmal.',
  // texts/market.ts
  Common: 'Normal',
  'Everybody can buy at the price.': 'Jeder kann zum Preis kaufen.',
  'With a coupon': 'Mit Coupon',
  'A coupon lowers the price of every order.': 'Ein Coupon senkt den Preis jeder Bestellung.',
  'Time-limited coupon': 'Befristeter Coupon',
  'A coupon lowers the price of every order until it ends.':
    'Ein Coupon senkt den Preis jeder Bestellung, bis er endet.',
  'With coupon codes': 'Mit Coupon-Codes',
  'Buyers who enter a code of a coupon pay less.':
    'Käufer, die einen Code eines Coupons eingeben, zahlen weniger.',
  'For specified wallets': 'Für bestimmte Wallets',
  'Only the wallets that you name can buy.': 'Nur die Wallets, die Sie nennen, können kaufen.',
  Left: 'Übrig',
  '{left} of {quantity}': '{left} von {quantity}',
  'Create coupon': 'Coupon erstellen',
  Discount: 'Rabatt',
  'Coupon {id}': 'Coupon {id}',
  Percentage: 'Prozentsatz',
  'Amount off': 'Rabattbetrag',
  'Fixed price': 'Festpreis',
  'Kind of discount': 'Art des Rabatts',
  'Discount in percent': 'Rabatt in Prozent',
  'More than 0, at most 100.': 'Mehr als 0, höchstens 100.',
  'Token of the listings': 'Token der Inserate',
  'Amounts, such as the least price of an order, are in this token. Use the coupon for listings in it only.':
    'Beträge wie der Mindestbestellwert gelten in diesem Token. Verwenden Sie den Coupon nur für Inserate in diesem Token.',
  'Amount off an order': 'Rabattbetrag pro Bestellung',
  'Price of one unit with the coupon': 'Preis pro Stück mit dem Coupon',
  'Number of codes': 'Anzahl der Codes',
  '1 to 10,000. Each has 12 characters.': '1 bis 10.000. Jeder hat 12 Zeichen.',
  'Your own code': 'Ihr eigener Code',
  'Instead of generated ones: 4 to 64 letters, digits and hyphens.':
    'Statt erzeugter Codes: 4 bis 64 Buchstaben, Ziffern und Bindestriche.',
  'Smaller orders do not get the discount.': 'Kleinere Bestellungen erhalten den Rabatt nicht.',
  'Uses of all buyers together': 'Nutzungen aller Käufer zusammen',
  'Empty: no limit.': 'Leer: kein Limit.',
  'In your time zone. Empty: forever.': 'In Ihrer Zeitzone. Leer: unbegrenzt.',
  '{count, plural, one {# code} other {# codes}} for coupon {id}':
    '{count, plural, one {# Code} other {# Codes}} für Coupon {id}',
  'Copy or download the codes now': 'Codes jetzt kopieren oder herunterladen',
  'The gateway does not list them again. A code can be looked up later, one at a time.':
    'Das Gateway listet sie nicht noch einmal auf. Ein Code kann später einzeln gesucht werden.',
  Codes: 'Codes',
  'Copy all': 'Alle kopieren',
  'Below this, nothing is sold. Bidders do not see it.':
    'Darunter wird nichts verkauft. Bieter sehen ihn nicht.',
  'A bid of this amount ends the auction at once.': 'Ein Gebot in dieser Höhe beendet die Auktion sofort.',
  // texts/minting.ts
  'collected by the contract': 'vom Smart Contract eingezogen',
  'paid by an order': 'über eine Bestellung bezahlt',
  'Every wallet': 'Jede Wallet',
  'Wallets on the whitelist': 'Wallets auf der Whitelist',
  'Wallets with a proof (Merkle tree)': 'Wallets mit einem Nachweis (Merkle-Baum)',
  'The contract collects the price': 'Der Smart Contract zieht den Preis ein',
  'An order collects the price before the mint': 'Eine Bestellung zieht den Preis vor dem Minten ein',
  'Empty: the description of the contract.': 'Leer: die Beschreibung des Smart Contracts.',
  'Metadata of tokens by quantity': 'Metadaten von Token nach Menge',
  'Empty: tokens cannot be minted by quantity.': 'Leer: Token können nicht nach Menge gemintet werden.',
  'Receives the price': 'Erhält den Preis',
  'A wallet. Empty: the contract decides.': 'Eine Wallet. Leer: der Smart Contract entscheidet.',
  'Receives royalties': 'Erhält Tantiemen',
  '0 to 100.': '0 bis 100.',
  Previews: 'Vorschauen',
  // texts/orders.ts
  Sale: 'Verkauf',
  'Sale with coupon': 'Verkauf mit Coupon',
  'Limited-time coupon': 'Befristeter Coupon',
  'Coupon code': 'Coupon-Code',
  'Sale to named wallets': 'Verkauf an bestimmte Wallets',
  'Product card': 'Produktkarte',
  'The payment was made before the order was placed.': 'Die Zahlung erfolgte vor der Bestellung.',
  'The payment arrived when nothing was left. The seller owes a refund.':
    'Als die Zahlung ankam, war nichts mehr übrig. Der Verkäufer schuldet eine Erstattung.',
  'The payment moved within a contract, which the chain’s node cannot show.':
    'Die Zahlung lief innerhalb eines Smart Contracts, was der Node der Blockchain nicht zeigen kann.',
  'The buyer paid too little, another token or another recipient.':
    'Der Käufer hat zu wenig, mit einem anderen Token oder an einen anderen Empfänger gezahlt.',
  'The transaction was not included in a block in time.':
    'Die Transaktion kam nicht rechtzeitig in einen Block.',
  'The seller no longer owns the token.': 'Dem Verkäufer gehört der Token nicht mehr.',
  'No node of the chain knows the transaction.': 'Kein Node der Blockchain kennt die Transaktion.',
  'Another wallet than the buyer has paid.': 'Eine andere Wallet als die des Käufers hat gezahlt.',
  'The payment counts for another order.': 'Die Zahlung zählt für eine andere Bestellung.',
  'The chain removed the payment after it was confirmed.':
    'Die Blockchain hat die Zahlung nach der Bestätigung wieder entfernt.',
  'The transaction failed on the chain.': 'Die Transaktion ist auf der Blockchain fehlgeschlagen.',
  'The transaction does not pay this order.': 'Die Transaktion bezahlt diese Bestellung nicht.',
  'Cancel order': 'Bestellung stornieren',
  'Payment reported': 'Zahlung gemeldet',
  'Payment found in block {block}': 'Zahlung in Block {block} gefunden',
  'A refund is due': 'Eine Erstattung ist fällig',
  'Removed from the lists': 'Aus den Listen entfernt',
  // texts/scanner.ts
  'This browser cannot store scans': 'Dieser Browser kann keine Scans speichern',
  'Without that, a scan could be lost or counted twice. Leave private browsing, or free some space, and reload the page.':
    'Ohne das könnte ein Scan verloren gehen oder doppelt zählen. Verlassen Sie den privaten Modus, oder schaffen Sie Speicherplatz, und laden Sie die Seite neu.',
  'The camera is not allowed': 'Die Kamera ist nicht erlaubt',
  'Allow the camera for this page in the settings of the browser, or type the code.':
    'Erlauben Sie in den Browser-Einstellungen die Kamera für diese Seite, oder tippen Sie den Code ein.',
  'There is no camera': 'Es gibt keine Kamera',
  'Type the code, or choose a picture of it. Cameras need a page that is served over https.':
    'Tippen Sie den Code ein, oder wählen Sie ein Bild von ihm. Kameras brauchen eine Seite, die über https geladen wird.',
  'The camera does not start': 'Die Kamera startet nicht',
  'Another program may be using it. Close that and try again, or type the code.':
    'Vielleicht verwendet sie ein anderes Programm. Schließen Sie es, und versuchen Sie es noch einmal, oder tippen Sie den Code ein.',
  'The code is too long to be that of a card': 'Der Code ist zu lang für eine Karte',
  'No store set': 'Keine Filiale gewählt',
  'Not confirmed yet': 'Noch nicht bestätigt',
  'No answer from the server. The scan is stored and is sent until there is one. It can still be refused.':
    'Keine Antwort vom Server. Der Scan ist gespeichert und wird gesendet, bis eine kommt. Er kann noch abgelehnt werden.',
  'Last scans': 'Letzte Scans',
  Waiting: 'Wartet',
  'The card is valid from {start}.': 'Die Karte ist ab {start} gültig.',
  'The card was valid until {end}.': 'Die Karte war bis {end} gültig.',
  'The card was redeemed before and has no use left.':
    'Die Karte wurde schon eingelöst und hat keine Nutzungen mehr.',
  'Already redeemed today': 'Heute bereits eingelöst',
  'A membership card counts once a day in each store.':
    'Eine Mitgliedskarte zählt in jeder Filiale einmal am Tag.',
  'Somebody entered with this card before.': 'Mit dieser Karte wurde schon jemand eingelassen.',
  'Already checked in today': 'Heute bereits eingecheckt',
  'All {total} uses are redeemed.': 'Alle {total} Nutzungen sind eingelöst.',
  'The card is accepted in: {stores}. Set the store of this scanner in its settings.':
    'Die Karte wird angenommen in: {stores}. Legen Sie die Filiale dieses Scanners in seinen Einstellungen fest.',
  'The card is accepted in: {stores}. This scanner is in: {store}.':
    'Die Karte wird angenommen in: {stores}. Filiale dieses Scanners: {store}.',
  'The shop accepts the cards of this campaign again when it resumes it.':
    'Der Shop nimmt die Karten dieser Kampagne wieder an, wenn er sie fortsetzt.',
  'The shop accepts the cards of this campaign no more.':
    'Der Shop nimmt die Karten dieser Kampagne nicht mehr an.',
  'The shop has removed this card.': 'Der Shop hat diese Karte entfernt.',
  'Unknown code': 'Unbekannter Code',
  'No card of this project has this code. It may be from another shop, or the card was removed.':
    'Keine Karte dieses Projekts hat diesen Code. Sie ist vielleicht aus einem anderen Shop oder wurde entfernt.',
  'Nothing to redeem': 'Nichts einzulösen',
  'This is a commemorative card. It is genuine, and it cannot be redeemed.':
    'Das ist eine Erinnerungskarte. Sie ist echt und kann nicht eingelöst werden.',
  'Check the settings of the scanner and scan the card again.':
    'Prüfen Sie die Einstellungen des Scanners, und scannen Sie die Karte noch einmal.',
  'The server does not accept this scan': 'Der Server nimmt diesen Scan nicht an',
  'Nothing was redeemed. {message}': 'Nichts wurde eingelöst. {message}',
  'The server says: {reason}.': 'Der Server meldet: {reason}.',
  // texts/search.ts
  Search: 'Suchen',
  'Find an order, card or wallet': 'Bestellung, Karte oder Wallet finden',
  // texts/shell.ts
  Main: 'Hauptmenü',
  'Your role does not include this page': 'Ihre Rolle umfasst diese Seite nicht',
  'Your role is {role}. Ask an owner of the project to change it.':
    'Ihre Rolle: {role}. Bitten Sie einen Inhaber des Projekts, sie zu ändern.',
  System: 'System',
  Light: 'Hell',
  Dark: 'Dunkel',
  Connecting: 'Wird verbunden',
  Live: 'Live',
  Reconnecting: 'Wird neu verbunden',
  'Not live': 'Nicht live',
  'Connecting to the server.': 'Verbindung zum Server wird hergestellt.',
  'Pages change as soon as something happens.': 'Seiten ändern sich, sobald etwas geschieht.',
  'The connection was lost. Pages may be out of date until it is back.':
    'Die Verbindung ging verloren. Bis sie wieder da ist, sind Seiten vielleicht nicht aktuell.',
  'Pages do not change on their own. Reload the page.':
    'Seiten ändern sich nicht von selbst. Laden Sie die Seite neu.',
  'Show keyboard shortcuts': 'Tastenkürzel anzeigen',
  Loading: 'Wird geladen',
  'May do everything, and manages people and API keys.':
    'Darf alles und verwaltet Personen und API-Schlüssel.',
  Manager: 'Manager',
  'May do everything except manage people and API keys.':
    'Darf alles außer Personen und API-Schlüssel verwalten.',
  Staff: 'Personal',
  'May scan cards, and see what is needed for that.': 'Darf Karten scannen und sehen, was dafür nötig ist.',
  Auditor: 'Prüfer',
  'May see everything, and change nothing.': 'Darf alles sehen und nichts ändern.',
  Copy: 'Kopieren',
  'Pages of {list}': 'Seiten: {list}',
  Total: 'Summe',
  Yes: 'Ja',
  No: 'Nein',
  'Open in the block explorer': 'Im Block-Explorer öffnen',
  'Nothing found': 'Nichts gefunden',
  'No item matches the filters.': 'Kein Eintrag passt zu den Filtern.',
  'Discard what you typed?': 'Eingaben verwerfen?',
  'It is not saved.': 'Ihre Eingaben sind nicht gespeichert.',
  Discard: 'Verwerfen',
  'Keep editing': 'Weiter bearbeiten',
  // texts/sign-in.ts
  'Your session has ended': 'Ihre Sitzung ist beendet',
  'Sign in again to continue where you were. If somebody else signs in, what you entered is discarded.':
    'Melden Sie sich wieder an, um dort weiterzumachen, wo Sie waren. Meldet sich jemand anders an, werden Ihre Eingaben verworfen.',
  // texts/undo.ts
  'Scanned by mistake': 'Versehentlich gescannt',
  'Wrong card': 'Falsche Karte',
  'The customer did not take it': 'Der Kunde hat es nicht genommen',
  'The order was cancelled': 'Die Bestellung wurde storniert',
  Other: 'Anderer Grund',
  // texts/wallets.ts
  'This is not an address': 'Das ist keine Adresse',
  'Enter 0x and 40 hexadecimal digits to open a wallet.':
    'Geben Sie 0x und 40 Hexadezimalziffern ein, um eine Wallet zu öffnen.',
  Email: 'E-Mail',
  'Background of the showcase': 'Hintergrund der Schauseite',
  '{count, plural, one {# unread message} other {# unread messages}}':
    '{count, plural, one {# ungelesene Nachricht} other {# ungelesene Nachrichten}}',
  Send: 'Senden',
  'The message is sent': 'Nachricht gesendet',
  // texts/webhooks.ts
  'Saving enables this webhook': 'Beim Speichern wird dieser Webhook aktiviert',
  'Save and enable': 'Speichern und aktivieren',
  'Send the events of a range again': 'Ereignisse eines Zeitraums erneut senden',
  '{count, plural, one {# event} other {# events}}': '{count, plural, one {# Ereignis} other {# Ereignisse}}',
  'This range was sent in part: {count, plural, one {# delivery} other {# deliveries}} started':
    'Dieser Zeitraum wurde zum Teil gesendet: {count, plural, one {# Zustellung} other {# Zustellungen}} gestartet',
  'If you send it again, it continues where it stopped.':
    'Wenn Sie ihn erneut senden, geht es dort weiter, wo es aufgehört hat.',
  '{count, plural, one {# delivery} other {# deliveries}} started':
    '{count, plural, one {# Zustellung} other {# Zustellungen}} gestartet',
}
