// The texts of the console in Spanish, by the English ones.
globalThis.mintmarkTexts = {
  // components/actions.tsx
  'Actions for {name}': 'Acciones de {name}',
  // components/audit/actors.ts
  'API key {name}': 'Clave de API {name}',
  // components/audit/audit-log.tsx
  Export: 'Exportar',
  'Search by the id of a record': 'Buscar por el id de un registro',
  Who: 'Quién',
  'Kind of record': 'Tipo de registro',
  Action: 'Acción',
  From: 'Desde',
  To: 'Hasta',
  'To||wallet': 'Para',
  'No entries yet': 'Todavía no hay entradas',
  'An entry appears with the next change of a record, whoever makes it.':
    'Con el próximo cambio de un registro aparece una entrada, lo haga quien lo haga.',
  Record: 'Registro',
  Changes: 'Cambios',
  When: 'Cuándo',
  Number: 'Número',
  // components/audit/entry-dialog.tsx
  Field: 'Campo',
  Before: 'Antes',
  After: 'Después',
  'Entry {sequence}': 'Entrada {sequence}',
  Hash: 'Hash',
  'No field changed.': 'No cambió ningún campo.',
  'All changes of this record': 'Todos los cambios de este registro',
  'All changes by the same': 'Todos los cambios de la misma persona o programa',
  // components/audit/entry-parts.tsx
  'and {others} more': 'y {others} más',
  // components/audit/export-log.tsx
  'Export the audit log': 'Exportar el registro de auditoría',
  'Saves the entries that match the filters as a file with one JSON object in each line, newest first. Values of very large changes are shortened; "mintmark-gateway audit export" has them whole.':
    'Guarda las entradas que cumplen los filtros en un archivo con un objeto JSON por línea, de la más nueva a la más antigua. Los valores de cambios muy grandes se acortan; "mintmark-gateway audit export" los tiene completos.',
  // components/audit/verification.tsx
  Verification: 'Verificación',
  'Verify the log': 'Verificar el registro',
  'Computing the hash of every entry. This takes about a minute for a million entries.':
    'Se calcula el hash de cada entrada. Tarda alrededor de un minuto por cada millón de entradas.',
  'The log was tampered with: entry {problemSequence} is wrong':
    'El registro fue manipulado: la entrada {problemSequence} no es correcta',
  'The log has no entries yet.': 'El registro todavía no tiene entradas.',
  'The log is complete and unchanged: {quantity}': 'El registro está completo y sin cambios: {quantity}',
  Head: 'Cabecera',
  'Copy the head': 'Copiar la cabecera',
  'Keep this text where nobody who runs the database can change it, such as in a mail to yourself or in a paper file, with the date. Whoever has all rights in the database could compute every hash again; then the log no longer contains the head that you kept. This command on the server compares it:':
    'Guarde este texto, con la fecha, donde no pueda cambiarlo nadie que administre la base de datos, por ejemplo en un correo a usted o en papel. Quien tiene todos los permisos en la base de datos podría volver a calcular cada hash; entonces el registro ya no contendría la cabecera que usted guardó. Este comando la compara en el servidor:',
  // components/badge.tsx
  Status: 'Estado',
  // components/chart.tsx
  'The chart could not be loaded': 'No se pudo cargar el gráfico',
  'Show the figures as a table': 'Mostrar las cifras en una tabla',
  // components/copy-button.tsx
  Copied: 'Copiado',
  // components/data-table.tsx
  Time: 'Hora',
  Actions: 'Acciones',
  'Sort by {label}, descending': 'Ordenar por {label}, descendente',
  'Sort by {label}, ascending': 'Ordenar por {label}, ascendente',
  // components/dialogs.tsx
  'Copy the {text}': 'Copiar {text}',
  Done: 'Listo',
  'Done||step': 'Hecho',
  // components/export-dialog.tsx
  '{records} saved': '{records} guardados',
  '{records} read': '{records} leídos',
  // components/field.tsx
  '(optional)': '(opcional)',
  // components/figure.tsx
  '{change} against the period before': '{change} respecto al período anterior',
  // components/filters.tsx
  All: 'Todos',
  Filters: 'Filtros',
  'Clear filters': 'Quitar los filtros',
  // components/minting/add-wallets-dialog.tsx
  'Add wallets to {phase}': 'Añadir monederos a {phase}',
  Addresses: 'Direcciones',
  'One in each line. A limit can follow after a comma: 0x7099…79c8,2. You can paste a CSV file, or choose one below.':
    'Una por línea. Después de una coma puede indicarse un límite: 0x7099…79c8,2. Puede pegar un archivo CSV o elegir uno abajo.',
  'Enter at least one address.': 'Introduzca al menos una dirección.',
  '{done} of {count} are added.': 'Añadidos: {done} de {count}.',
  'Add {count, plural, one {# wallet} other {# wallets}}':
    'Añadir {count, plural, one {# monedero} other {# monederos}}',
  'CSV file': 'Archivo CSV',
  '{count, plural, one {# wallet is ready} other {# wallets are ready}}':
    '{count, plural, one {# monedero está listo} other {# monederos están listos}}',
  '{count, plural, one {# line is wrong and will not be added:} other {# lines are wrong and will not be added:}}':
    '{count, plural, one {# línea es incorrecta y no se añadirá:} other {# líneas son incorrectas y no se añadirán:}}',
  'Line {line}: {text} ({reason})': 'Línea {line}: {text} ({reason})',
  'And {hidden} more.': 'Y {hidden} más.',
  // components/minting/mint-table.tsx
  Signed: 'Firmado',
  Minted: 'Acuñado',
  'Expired unused': 'Caducado sin usar',
  Wallet: 'Monedero',
  Token: 'Token',
  'Collection’s token': 'Token de la colección',
  Units: 'Unidades',
  'Price of one': 'Precio de uno',
  Phase: 'Fase',
  Transaction: 'Transacción',
  // components/minting/phase-form.tsx
  'Edit phase {name}': 'Editar la fase {name}',
  'The phases are saved': 'Las fases se han guardado',
  Name: 'Nombre',
  'Identifies the phase. Another name makes another phase, with counts of its own.':
    'Identifica la fase. Con otro nombre se crea otra fase, con recuentos propios.',
  Opens: 'Abre',
  'In your time zone.': 'En su zona horaria.',
  Closes: 'Cierra',
  'In your time zone. Empty: when the next phase opens.':
    'En su zona horaria. Vacío: cuando abre la fase siguiente.',
  'Price of one token': 'Precio de un token',
  '0 if minting is free.': '0 si acuñar es gratis.',
  'How it is paid': 'Cómo se paga',
  'Limit for all wallets together': 'Límite para todos los monederos juntos',
  '0: no limit.': '0: sin límite.',
  'Limit for each wallet': 'Límite por monedero',
  'Who may mint': 'Quién puede acuñar',
  'Merkle root': 'Raíz de Merkle',
  'Of a tree that is kept elsewhere. Empty: the whitelist that is kept here.':
    'De un árbol que se guarda en otro lugar. Vacío: la lista blanca que se guarda aquí.',
  // components/minting/phase-section.tsx
  'End and remove phase {name}?': '¿Terminar y eliminar la fase {name}?',
  'The phase ends at once. Its counts and its whitelist no longer apply. This cannot be undone. Signed mints stay valid until they expire.':
    'La fase termina de inmediato. Sus recuentos y su lista blanca dejan de aplicarse. No se puede deshacer. Las acuñaciones firmadas siguen siendo válidas hasta que caduquen.',
  'End and remove': 'Terminar y eliminar',
  'Phase {name} is removed': 'Se ha eliminado la fase {name}',
  'Add phase': 'Añadir fase',
  Phases: 'Fases',
  'No phases yet': 'Todavía no hay fases',
  'Tokens can be minted only while a phase is open. Add the first one.':
    'Solo se pueden acuñar tokens mientras haya una fase abierta. Añada la primera.',
  'Tokens can be minted only while a phase is open.':
    'Solo se pueden acuñar tokens mientras haya una fase abierta.',
  Edit: 'Editar',
  '{from} to {endTime}': '{from} – {endTime}',
  'From {from}': 'Desde {from}',
  Price: 'Precio',
  Free: 'Gratis',
  'Reserved and minted': 'Reservado y acuñado',
  '{claimed}, no limit': '{claimed}, sin límite',
  '{claimed} of {maxClaimable}': '{claimed} de {maxClaimable}',
  'For each wallet': 'Por monedero',
  'No limit': 'Sin límite',
  'Open: {active}': 'Abierta: {active}',
  'Open||store': 'Abierta',
  // components/minting/whitelist-lines.ts
  'the same wallet as in line {first}': 'el mismo monedero que en la línea {first}',
  'not an address of 0x and 40 hexadecimal digits': 'no es una dirección de 0x y 40 dígitos hexadecimales',
  'the zero address belongs to no wallet': 'la dirección cero no pertenece a ningún monedero',
  'the limit is not a whole number': 'el límite no es un número entero',
  // components/minting/whitelist-section.tsx
  Whitelist: 'Lista blanca',
  'A whitelist belongs to a phase. Add a phase first.':
    'Una lista blanca pertenece a una fase. Añada primero una fase.',
  'A whitelist belongs to a phase.': 'Una lista blanca pertenece a una fase.',
  '{count, plural, one {# wallet} other {# wallets}} added to {phase}':
    '{count, plural, one {# monedero añadido} other {# monederos añadidos}} a {phase}',
  'Remove {address} from the whitelist?': '¿Quitar {address} de la lista blanca?',
  'The wallet can no longer mint in phase {phase}. You can add it again.':
    'El monedero ya no podrá acuñar en la fase {phase}. Puede volver a añadirlo.',
  Remove: 'Quitar',
  'The wallet is removed from the whitelist': 'El monedero se ha quitado de la lista blanca',
  'Add wallets': 'Añadir monederos',
  Limit: 'Límite',
  'As in the phase': 'Como en la fase',
  Added: 'Añadido',
  'Remove {address}': 'Quitar {address}',
  'No wallets on the whitelist': 'No hay monederos en la lista blanca',
  'In a phase for wallets on the whitelist, nobody can mint until you add wallets.':
    'En una fase para monederos de la lista blanca, nadie puede acuñar hasta que usted añada monederos.',
  'In a phase for wallets on the whitelist, nobody can mint at present.':
    'En una fase para monederos de la lista blanca, por ahora nadie puede acuñar.',
  // components/notice.tsx
  'Request id': 'Id de la solicitud',
  'Copy the request id': 'Copiar el id de la solicitud',
  // components/offers/offer-table.tsx
  Open: 'Abierto',
  Accepted: 'Aceptado',
  Rejected: 'Rechazado',
  Cancelled: 'Cancelado',
  Expired: 'Caducado',
  'Price of all': 'Precio total',
  Expires: 'Caduca',
  Order: 'Pedido',
  Cancel: 'Cancelar',
  'Cancel||offer': 'Cancelar',
  Accept: 'Aceptar',
  Reject: 'Rechazar',
  'Any token of {nftName}': 'Cualquier token de {nftName}',
  'Token id': 'Id del token',
  'The offer is for any token of the collection. Enter the one to sell.':
    'La oferta vale para cualquier token de la colección. Introduzca el que quiere vender.',
  Seller: 'Vendedor',
  'The wallet that owns the token.': 'El monedero al que pertenece el token.',
  'Accept the offer for {offer}?': '¿Aceptar la oferta por {offer}?',
  '{wallet} sells for {amount}. The token is reserved, and the buyer gets an order to pay. This cannot be taken back.':
    '{wallet} vende por {amount}. El token queda reservado y el comprador recibe un pedido que debe pagar. No se puede deshacer.',
  'Accept the offer': 'Aceptar la oferta',
  'The offer is accepted: order {orderNo}': 'La oferta se ha aceptado: pedido {orderNo}',
  'Reject the offer for {offer}?': '¿Rechazar la oferta por {offer}?',
  'The buyer has to make a new offer. This cannot be undone.':
    'El comprador tendrá que hacer una oferta nueva. No se puede deshacer.',
  'The offer is rejected': 'La oferta se ha rechazado',
  'Cancel the offer for {offer}?': '¿Cancelar la oferta por {offer}?',
  'The owner can no longer accept it. This cannot be undone.':
    'El propietario ya no podrá aceptarla. No se puede deshacer.',
  'Cancel the offer': 'Cancelar la oferta',
  'Keep the offer': 'Mantener la oferta',
  'The offer is cancelled': 'La oferta se ha cancelado',
  // components/order-columns.tsx
  Item: 'Artículo',
  Amount: 'Importe',
  Buyer: 'Comprador',
  Placed: 'Realizado',
  'Unnamed token': 'Token sin nombre',
  // components/order-status.tsx
  'Waits for payment': 'Espera el pago',
  Confirming: 'En confirmación',
  Paid: 'Pagado',
  Failed: 'Fallido',
  'Needs a decision': 'Requiere una decisión',
  'Refund due': 'Reembolso pendiente',
  // components/page-header.tsx
  Facilitator: 'Facilitador',
  Operator: 'Operador',
  // components/pagination.tsx
  None: 'Ninguno',
  'None||price': 'Ninguno',
  'None||entries': '0',
  Pages: 'Páginas',
  '{range} of {total}': '{range} de {total}',
  Previous: 'Anterior',
  Next: 'Siguiente',
  Newest: 'Más recientes',
  Older: 'Más antiguos',
  // components/person.tsx
  You: 'Usted',
  'Not signed in': 'Sin iniciar sesión',
  // components/qr-code.tsx
  'QR code of {label}': 'Código QR de {label}',
  // components/record-page.tsx
  Refresh: 'Actualizar',
  // components/show-invitation-link.ts
  'Invitation of {email}': 'Invitación de {email}',
  Link: 'Enlace',
  'It is shown only once, and works for seven days. Whoever opens it can set the password of the account.':
    'Solo se muestra una vez y funciona durante siete días. Quien lo abra puede fijar la contraseña de la cuenta.',
  'Sent to {email}. You can also copy the link.': 'Enviado a {email}. También puede copiar el enlace.',
  'Send this link to the person now': 'Envíe ahora este enlace a la persona',
  'The mail to {email} could not be sent. {advice}': 'No se pudo enviar el correo a {email}. {advice}',
  // components/technical-details.tsx
  'Technical details': 'Detalles técnicos',
  '{amount} base units of {token}': '{amount} unidades base de {token}',
  // components/toast.tsx
  Notifications: 'Notificaciones',
  Dismiss: 'Cerrar',
  // components/transfer-section.tsx
  Transfers: 'Transferencias',
  Quantity: 'Cantidad',
  'No transfers yet': 'Todavía no hay transferencias',
  'Sales and transfers on the chain appear here.':
    'Las ventas y las transferencias en la cadena aparecen aquí.',
  // components/undo-scan.ts
  Reason: 'Motivo',
  'Undo the scan of {name}?': '¿Deshacer el escaneo de {name}?',
  'The card is as it was before the scan. Both stay in the list of its scans.':
    'La tarjeta queda como antes del escaneo. Ambos permanecen en la lista de sus escaneos.',
  'The scan is undone': 'El escaneo se ha deshecho',
  // form/event-type-options.ts
  'All of {group}.*': 'Todos los de {group}.*',
  // form/form-values.ts
  'Choose a time after “{label}”': 'Elija una hora posterior a «{label}»',
  'Line {line}: enter a name, a colon and a value, as in paper: cotton':
    'Línea {line}: introduzca un nombre, dos puntos y un valor, como en papel: algodón',
  'Enter a whole number': 'Introduzca un número entero',
  'Enter at least {min}': 'Introduzca al menos {min}',
  'Enter a number such as {example}, with at most 9 decimals':
    'Introduzca un número como {example}, con un máximo de 9 decimales',
  'Enter an address that begins with https://': 'Introduzca una dirección que empiece por https://',
  'Enter a date and a time': 'Introduzca una fecha y una hora',
  'Enter an address: 0x and 40 hexadecimal digits': 'Introduzca una dirección: 0x y 40 dígitos hexadecimales',
  'Enter an amount with at most {decimals} decimals. Write a comma before them, not a point':
    'Introduzca un importe con un máximo de {decimals} decimales. Escriba delante de ellos una coma, no un punto',
  'Enter an amount with at most {decimals} decimals. Write a point before them, not a comma':
    'Introduzca un importe con un máximo de {decimals} decimales. Escriba delante de ellos un punto, no una coma',
  // form/hash-field.ts
  '0x and 64 hexadecimal digits.': '0x y 64 dígitos hexadecimales.',
  'Enter a transaction: 0x and 64 hexadecimal digits':
    'Introduzca una transacción: 0x y 64 dígitos hexadecimales',
  // form/nft-fields.ts
  Image: 'Imagen',
  'An address that begins with https://.': 'Una dirección que empieza por https://.',
  Metadata: 'Metadatos',
  'The address that the contract returns as tokenURI.':
    'La dirección que el contrato devuelve como tokenURI.',
  Properties: 'Propiedades',
  'One in each line: a name, a colon and a value, as in paper: cotton.':
    'Una por línea: un nombre, dos puntos y un valor, como en papel: algodón.',
  'Royalty in percent': 'Regalía en porcentaje',
  'Of each resale: 0 to 100.': 'De cada reventa: de 0 a 100.',
  // form/operation-form.tsx
  Preview: 'Vista previa',
  'These values are not valid:': 'Estos valores no son válidos:',
  // form/pay-token-fields.ts
  'Another ERC-20 token': 'Otro token ERC-20',
  'Paid in': 'Se paga en',
  'Address of the token': 'Dirección del token',
  '{label}, in base units': '{label}, en unidades base',
  'The console does not know the decimals of this token, so enter a whole number: 1000000 is 1 of a token with 6 decimals.':
    'La consola no conoce los decimales de este token, así que introduzca un número entero: 1000000 es 1 de un token con 6 decimales.',
  // form/picture-field.tsx
  'Upload a file for “{label}”': 'Subir un archivo para «{label}»',
  'Or drop a PNG, JPEG, WebP or GIF of up to 5 MB here.':
    'O suelte aquí una imagen PNG, JPEG, WebP o GIF de hasta 5 MB.',
  'The picture is being uploaded…': 'La imagen se está subiendo…',
  'The picture is uploaded.': 'La imagen se ha subido.',
  'Wait until the picture is uploaded, then try again':
    'Espere a que se suba la imagen y vuelva a intentarlo',
  'The file is larger than 5 MB. Choose a smaller picture':
    'El archivo pesa más de 5 MB. Elija una imagen más pequeña',
  // form/use-new-password.tsx
  'At least 12 characters. A sentence is easy to remember.':
    'Al menos 12 caracteres. Una frase es fácil de recordar.',
  'Use at least 12 characters': 'Use al menos 12 caracteres',
  'The passwords differ': 'Las contraseñas no coinciden',
  // format/actor.ts
  'API key {id}': 'Clave de API {id}',
  'publishable key {id}': 'clave publicable {id}',
  'person {id}': 'persona {id}',
  'the job “{id}”': 'la tarea «{id}»',
  'the command {id}': 'el comando {id}',
  'the server': 'el servidor',
  unknown: 'desconocido',
  // format/chains.ts
  'Development chain': 'Cadena de desarrollo',
  'Chain {chainId}': 'Cadena {chainId}',
  // format/device.ts
  'Unknown device': 'Dispositivo desconocido',
  '{browser} on {system}': '{browser} en {system}',
  // format/number.ts
  'no change': 'sin cambios',
  // format/time.ts
  'just now': 'ahora mismo',
  '{minutes} min': '{minutes} min',
  '{seconds} s': '{seconds} s',
  '{hours} h': '{hours} h',
  '{days} d': '{days} d',
  // layout/account-menu.tsx
  'Account of {name}': 'Cuenta de {name}',
  'Account settings': 'Ajustes de la cuenta',
  'Sign out': 'Cerrar sesión',
  'You are still signed in': 'La sesión sigue abierta',
  // layout/area-guard.tsx
  'Only operators of this server see this page': 'Solo los operadores de este servidor ven esta página',
  'The person who runs the server can make you an operator.':
    'La persona que administra el servidor puede nombrarle operador.',
  'No facilitator is connected to this server': 'No hay ningún facilitador conectado a este servidor',
  'The settings FACILITATOR_URL and FACILITATOR_OPERATOR_TOKEN connect one.':
    'Se conecta con los ajustes FACILITATOR_URL y FACILITATOR_OPERATOR_TOKEN.',
  'You have no project yet': 'Todavía no tiene ningún proyecto',
  'Ask an owner of a project to invite you.': 'Pida una invitación a un propietario de un proyecto.',
  // layout/member-layout.tsx
  'This project is not one of yours': 'Este proyecto no es uno de los suyos',
  'Choose a project, or ask one of its owners to invite you.':
    'Elija un proyecto o pida una invitación a uno de sus propietarios.',
  // layout/not-found.tsx
  'There is no such page': 'Esta página no existe',
  'Check the address, or go to the overview.': 'Compruebe la dirección o vaya al inicio.',
  'Go to the overview': 'Ir al inicio',
  // layout/project-menu.tsx
  'Project {projectName}. Choose another one': 'Proyecto {projectName}. Elegir otro',
  // layout/session-end.tsx
  'Load the page again': 'Volver a cargar la página',
  'The sign-in could not be loaded': 'No se pudo cargar el inicio de sesión',
  'Load the page again to sign in. What you entered is discarded.':
    'Vuelva a cargar la página para iniciar sesión. Lo que introdujo se descarta.',
  // layout/shell.tsx
  'Skip to content': 'Ir al contenido',
  'Close the menu': 'Cerrar el menú',
  'You are offline. What you see may be out of date.': 'No hay conexión. Lo que ve puede no estar al día.',
  // layout/shortcut-help.tsx
  'Go to {label}': 'Ir a {label}',
  'Focus the search': 'Ir a la búsqueda',
  'Search the project and find a page': 'Buscar en el proyecto y encontrar una página',
  'Close a dialog or a menu': 'Cerrar un diálogo o un menú',
  'Keyboard shortcuts': 'Atajos de teclado',
  // biome-ignore lint/suspicious/noThenProperty: The text between two keys of a shortcut.
  then: 'y después',
  // layout/sidebar.tsx
  Menu: 'Menú',
  // layout/theme-select.tsx
  Theme: 'Tema',
  Language: 'Idioma',
  // navigation/items.ts
  Work: 'Trabajo',
  Home: 'Inicio',
  Reports: 'Informes',
  Cards: 'Tarjetas',
  Scanner: 'Escáner',
  Campaigns: 'Campañas',
  Stores: 'Tiendas',
  Sales: 'Ventas',
  Orders: 'Pedidos',
  Market: 'Mercado',
  'Lazy minting': 'Acuñación diferida',
  Tokens: 'Tokens',
  Contracts: 'Contratos',
  Wallets: 'Monederos',
  Developers: 'Desarrollo',
  Events: 'Eventos',
  Webhooks: 'Webhooks',
  'API explorer': 'Explorador de la API',
  'API keys': 'Claves de API',
  Settings: 'Ajustes',
  People: 'Personas',
  'Audit log': 'Registro de auditoría',
  Health: 'Salud',
  Projects: 'Proyectos',
  Operators: 'Operadores',
  'Stuck orders': 'Pedidos atascados',
  'Stuck mints': 'Acuñaciones atascadas',
  'Server audit log': 'Registro de auditoría del servidor',
  'Facilitator health': 'Salud del facilitador',
  Accounts: 'Cuentas',
  Settlements: 'Liquidaciones',
  Channels: 'Canales',
  'Sponsored approvals': 'Autorizaciones patrocinadas',
  Reverts: 'Reversiones',
  Ledger: 'Libro mayor',
  // pages/account/account-page.tsx
  Account: 'Cuenta',
  'Email address': 'Dirección de correo',
  // pages/account/backup-codes-dialog.tsx
  'Keep your backup codes': 'Guarde sus códigos de respaldo',
  'Each code signs you in once when your phone is not at hand. They are shown only now.':
    'Con cada código puede iniciar sesión una vez cuando no tenga el teléfono a mano. Solo se muestran ahora.',
  'Copy all codes': 'Copiar todos los códigos',
  'I have stored them': 'Los he guardado',
  // pages/account/devices-section.tsx
  Device: 'Dispositivo',
  'This device': 'Este dispositivo',
  Address: 'Dirección',
  'Last used': 'Último uso',
  Since: 'Desde',
  'The device is signed out': 'La sesión del dispositivo se ha cerrado',
  'All other devices are signed out': 'Las sesiones de los demás dispositivos se han cerrado',
  'Sign out all others': 'Cerrar las demás sesiones',
  'Sign out {device}': 'Cerrar la sesión de {device}',
  // pages/account/passkeys-section.tsx
  Passkey: 'Clave de acceso',
  'A passkey signs you in with the lock of your device: a fingerprint, your face or a PIN. It replaces the password and the second factor.':
    'Con una clave de acceso se inicia sesión mediante el bloqueo del dispositivo: la huella, la cara o un PIN. Sustituye a la contraseña y al segundo factor.',
  'This browser does not support passkeys.': 'Este navegador no admite claves de acceso.',
  'You have no passkeys.': 'No tiene claves de acceso.',
  'Remove {name}': 'Eliminar {name}',
  'The passkey is added': 'La clave de acceso se ha añadido',
  'How you recognize the device, such as Work laptop.':
    'Cómo reconoce el dispositivo, por ejemplo Portátil del trabajo.',
  'The passkey is removed': 'La clave de acceso se ha eliminado',
  'Remove {name}?': '¿Eliminar {name}?',
  'You can no longer sign in with it. Remove it from your device too.':
    'Ya no podrá iniciar sesión con ella. Elimínela también de su dispositivo.',
  // pages/account/password-dialog.tsx
  Password: 'Contraseña',
  // pages/account/password-section.tsx
  'New password': 'Contraseña nueva',
  'Repeat the new password': 'Repita la contraseña nueva',
  'Your password is changed': 'La contraseña se ha cambiado',
  'Current password': 'Contraseña actual',
  'Change password': 'Cambiar la contraseña',
  'Other devices are signed out.': 'Las sesiones de los demás dispositivos se han cerrado.',
  // pages/account/second-factor-section.tsx
  'The second factor is on': 'El segundo factor está activado',
  'Turn off the second factor?': '¿Desactivar el segundo factor?',
  'Then your password alone is enough to sign in.': 'Después bastará la contraseña para iniciar sesión.',
  'The second factor is off': 'El segundo factor está desactivado',
  'Second factor': 'Segundo factor',
  On: 'Activado',
  Off: 'Desactivado',
  'After the password, the sign-in asks for a code of an authenticator app on your phone.':
    'Después de la contraseña se pide un código de una aplicación de autenticación de su teléfono.',
  // pages/account/turn-on-dialog.tsx
  'Scan this code with your authenticator app': 'Escanee este código con su aplicación de autenticación',
  'the key for your authenticator app': 'la clave para su aplicación de autenticación',
  'Or enter this key:': 'O introduzca esta clave:',
  'Copy the key': 'Copiar la clave',
  Code: 'Código',
  'Enter the six digits that the app shows now.':
    'Introduzca los seis dígitos que la aplicación muestra ahora.',
  // pages/audit/audit-page.tsx
  'Every change of a record in this project: who made it, when, and each field before and after.':
    'Cada cambio de un registro de este proyecto: quién lo hizo, cuándo, y cada campo antes y después.',
  // pages/cards/campaigns/campaign-page.tsx
  'This campaign does not exist': 'Esta campaña no existe',
  'It belongs to another project.': 'Pertenece a otro proyecto.',
  'No cards are issued yet': 'Todavía no se ha emitido ninguna tarjeta',
  'Issue them, then print or export their QR codes.': 'Emítalas y después imprima o exporte sus códigos QR.',
  '{issued} of {requested} cards are issued': '{issued} de {requested} tarjetas emitidas',
  'Issue cards': 'Emitir tarjetas',
  Pause: 'Pausar',
  'Its cards are refused at the counter until you resume it.':
    'Sus tarjetas se rechazan en el mostrador hasta que se reanude.',
  Resume: 'Reanudar',
  'Its cards are accepted again.': 'Sus tarjetas se aceptan de nuevo.',
  End: 'Terminar',
  'Its cards are refused for good, and no others are issued. This cannot be undone.':
    'Sus tarjetas se rechazan para siempre y no se emiten más. No se puede deshacer.',
  'Number of cards': 'Número de tarjetas',
  'How many to issue now.': 'Cuántas se emiten ahora.',
  '{requested} of {cards} cards are requested': '{requested} de {cards} tarjetas solicitadas',
  Recipients: 'Destinatarios',
  'A name or customer number on each line, at most 500. A person who has a card of this campaign gets no other.':
    'Un nombre o número de cliente por línea, 500 como máximo. Quien ya tiene una tarjeta de esta campaña no recibe otra.',
  'Issue cards to people': 'Emitir tarjetas a personas',
  '{issued} of {cards} cards are issued': '{issued} de {cards} tarjetas emitidas',
  'Show its cards': 'Mostrar sus tarjetas',
  'Issue to people': 'Emitir a personas',
  Day: 'Día',
  Store: 'Tienda',
  Totals: 'Totales',
  Issued: 'Emitidas',
  '{issued} of {cards}': '{issued} de {cards}',
  'Valid now': 'Válidas ahora',
  'Nobody has scanned its cards yet.': 'Todavía nadie ha escaneado sus tarjetas.',
  // pages/cards/campaigns/campaigns-page.tsx
  'Many cards of one kind, each with a code of its own. You can pause or end all of them at once.':
    'Muchas tarjetas de un tipo, cada una con su propio código. Puede pausarlas o terminarlas todas a la vez.',
  'Create campaign': 'Crear campaña',
  Created: 'Creado',
  'No campaigns yet': 'Todavía no hay campañas',
  'Create one, such as 500 free coffees for an opening.':
    'Cree una, por ejemplo 500 cafés gratis para una inauguración.',
  'Campaigns appear here when a manager creates them.':
    'Las campañas aparecen aquí cuando un encargado las crea.',
  // pages/cards/campaigns/new-campaign-page.tsx
  'Name of the campaign': 'Nombre de la campaña',
  'Only your team reads it.': 'Solo lo lee su equipo.',
  'Maximum number of cards': 'Número máximo de tarjetas',
  'How many cards can be issued, at most 1,000,000.':
    'Cuántas tarjetas se pueden emitir, 1.000.000 como máximo.',
  'Kind of cards': 'Tipo de tarjetas',
  '{name} is created': 'Se ha creado {name}',
  // pages/cards/card-editor-page.tsx
  'Edit card': 'Editar tarjeta',
  'Edit {name}': 'Editar {name}',
  'The card is changed': 'La tarjeta se ha cambiado',
  // pages/cards/card-fields.ts
  'The guest is checked in': 'La entrada está registrada',
  'Clear it to let the guest in once more, for example after a mistake.':
    'Desmárquelo para dejar entrar al invitado otra vez, por ejemplo después de un error.',
  Level: 'Nivel',
  'Such as Gold.': 'Por ejemplo Oro.',
  'What one card represents, in a unit of your choice, such as 12.5.':
    'Lo que representa una tarjeta, en la unidad que usted elija, por ejemplo 12,5.',
  Picture: 'Imagen',
  'A picture of the occasion: its address (https), or a file.':
    'Una imagen de la ocasión: su dirección (https) o un archivo.',
  // pages/cards/card-history.tsx
  'Changes of the card': 'Cambios de la tarjeta',
  'Owners and auditors see every change here.': 'Los propietarios y los auditores ven aquí cada cambio.',
  Removed: 'Eliminado',
  Changed: 'Cambiado',
  'By {actor}': 'Por {actor}',
  // pages/cards/card-page.tsx
  'From now on it is refused at the counter, and its page is gone. This cannot be undone. Its scans stay in the history.':
    'Desde ahora se rechaza en el mostrador y su página desaparece. No se puede deshacer. Sus escaneos permanecen en el historial.',
  '{name} is removed': 'Se ha eliminado {name}',
  'Copy the code': 'Copiar el código',
  Download: 'Descargar',
  Print: 'Imprimir',
  'Open the page of the card': 'Abrir la página de la tarjeta',
  'Copy the link': 'Copiar el enlace',
  'Whoever has the code has the card.': 'Quien tiene el código tiene la tarjeta.',
  'Only owners and managers see the QR code': 'Solo los propietarios y los encargados ven el código QR',
  'To redeem the card, scan the code that its holder shows.':
    'Para canjear la tarjeta, escanee el código que muestra su titular.',
  'This card has a QR code of its own': 'Esta tarjeta tiene un código QR propio',
  'Its creator has set the address of a picture. The code of the card is only in that picture.':
    'Quien la creó indicó la dirección de una imagen. El código de la tarjeta solo está en esa imagen.',
  Supply: 'Existencias',
  'All stores': 'Todas las tiendas',
  'Your reference': 'Su referencia',
  Chain: 'Cadena',
  // pages/cards/card-preview.tsx
  'The QR code is made when the card is created.': 'El código QR se genera al crear la tarjeta.',
  'The QR code stays the same.': 'El código QR no cambia.',
  'Name of the card': 'Nombre de la tarjeta',
  // pages/cards/card-status.tsx
  Active: 'Activo',
  Paused: 'Pausado',
  Ended: 'Terminado',
  // pages/cards/card.ts
  '{usedCount} of {total} used': '{usedCount} de {total} usados',
  'Checked in': 'Entrada registrada',
  'Not checked in': 'Entrada sin registrar',
  'No level': 'Sin nivel',
  // pages/cards/cards-page.tsx
  'Create card': 'Crear tarjeta',
  'Print QR codes': 'Imprimir códigos QR',
  Import: 'Importar',
  'Kinds of cards': 'Tipos de tarjetas',
  'Search by name': 'Buscar por nombre',
  'Valid from': 'Válida desde',
  'Valid until': 'Válida hasta',
  'No cards yet': 'Todavía no hay tarjetas',
  'Create a card, or import many from a CSV file.': 'Cree una tarjeta o importe muchas desde un archivo CSV.',
  'Cards appear here when a manager creates them.':
    'Las tarjetas aparecen aquí cuando un encargado las crea.',
  // pages/cards/export-cards.tsx
  'Export cards': 'Exportar tarjetas',
  '{count, plural, one {# card} other {# cards}}': '{count, plural, one {# tarjeta} other {# tarjetas}}',
  'Saves all cards of this kind as a CSV file, which spreadsheets open.':
    'Guarda todas las tarjetas de este tipo en un archivo CSV, que abren las hojas de cálculo.',
  'Saves the cards that the search and the status select as a CSV file, which spreadsheets open.':
    'Guarda las tarjetas que eligen la búsqueda y el estado en un archivo CSV, que abren las hojas de cálculo.',
  'The file contains the links of the cards': 'El archivo contiene los enlaces de las tarjetas',
  'Whoever has the link of a card has the card. Keep the file where only your team reads it.':
    'Quien tiene el enlace de una tarjeta tiene la tarjeta. Guarde el archivo donde solo lo lea su equipo.',
  // pages/cards/import/csv-record.ts
  'Line {line}: {problem}': 'Línea {line}: {problem}',
  // pages/cards/import/failed-rows.ts
  'It is not known whether the row was imported': 'No se sabe si la fila se importó',
  Row: 'Fila',
  // pages/cards/import/file-step.tsx
  File: 'Archivo',
  'Reading the file': 'Leyendo el archivo',
  'Choose a file': 'Elegir un archivo',
  'Choose another file': 'Elegir otro archivo',
  'Download a template': 'Descargar una plantilla',
  'From a spreadsheet: save it as CSV (UTF-8). At most 20 MB and 50,000 rows.':
    'Desde una hoja de cálculo: guárdela como CSV (UTF-8). Como máximo 20 MB y 50.000 filas.',
  // pages/cards/import/import-fields.ts
  'not imported because': 'no importada porque',
  // pages/cards/import/import-page.tsx
  'Import {cards}': 'Importar {cards}',
  'Creates a card for each row of a CSV file. The first row names the columns.':
    'Crea una tarjeta por cada fila de un archivo CSV. La primera fila nombra las columnas.',
  // pages/cards/import/import-report.tsx
  Result: 'Resultado',
  'See the cards': 'Ver las tarjetas',
  'They were sent more than 23 hours ago without an answer. Look in the list of cards before you import them again.':
    'Se enviaron hace más de 23 horas y no hubo respuesta. Mire en la lista de tarjetas antes de volver a importarlas.',
  'Download them, correct them, and import that file.': 'Descárguelas, corríjalas e importe ese archivo.',
  'Download the rows that failed': 'Descargar las filas que fallaron',
  Line: 'Línea',
  'Line {line}': 'Línea {line}',
  Problem: 'Problema',
  'Rows that were not imported': 'Filas que no se importaron',
  '{count} more problems are in the file of failed rows.':
    'En el archivo de filas fallidas hay {count} problemas más.',
  // pages/cards/import/import-rows.ts
  'The row has {count} cells, and the first row has {columnCount}':
    'La fila tiene {count} celdas y la primera fila tiene {columnCount}',
  'The end must be after the start': 'El final debe ser posterior al inicio',
  'Enter a value': 'Introduzca un valor',
  'Enter a whole number from 1': 'Introduzca un número entero desde 1',
  'Enter a number such as 12.5': 'Introduzca un número como 12.5',
  'Enter yes or no': 'Introduzca sí o no',
  'Enter a date such as 2026-12-31, or a time such as 2026-12-31 18:00':
    'Introduzca una fecha como 2026-12-31 o una hora como 2026-12-31 18:00',
  // pages/cards/import/import-steps.tsx
  'This file was imported on {finishedAt}': 'Este archivo se importó el {finishedAt}',
  'Importing it once more creates its cards a second time.':
    'Si lo importa otra vez, sus tarjetas se crean por segunda vez.',
  'Import it once more': 'Importarlo otra vez',
  'This file was begun before': 'La importación de este archivo ya había empezado',
  'The import continues: rows that are imported are not imported again.':
    'La importación continúa: las filas importadas no se importan otra vez.',
  Check: 'Comprobación',
  'No row can be imported. Assign the columns, or correct the file.':
    'No se puede importar ninguna fila. Asigne las columnas o corrija el archivo.',
  'They are left out. You can download them after the import, correct them, and import that file.':
    'Quedan fuera. Después de la importación puede descargarlas, corregirlas e importar ese archivo.',
  'In this browser, equal rows of another file were imported, or sent without an answer. A corrected file usually contains them again.':
    'En este navegador se importaron filas iguales de otro archivo, o se enviaron sin respuesta. Un archivo corregido suele contenerlas otra vez.',
  'Lines {shown} and {others} more': 'Líneas {shown} y {others} más',
  'Lines {shown}': 'Líneas {shown}',
  'Import all {good}': 'Importar las {good} filas',
  'Import nothing': 'No importar nada',
  'Import the other {good}': 'Importar las otras {good}',
  '{done} of {count} rows done': '{done} de {count} filas hechas',
  Stop: 'Detener',
  'The import has stopped': 'La importación se ha detenido',
  'Continue it here, or later with the same file. Rows that are imported are not imported again.':
    'Continúela aquí, o más tarde con el mismo archivo. Las filas importadas no se importan otra vez.',
  Continue: 'Continuar',
  'Continue||import': 'Continuar',
  // pages/cards/import/mapping-table.tsx
  Columns: 'Columnas',
  'Say which column has which field. A field can have the same value in all rows.':
    'Indique qué columna tiene cada campo. Un campo puede tener el mismo valor en todas las filas.',
  '(required)': '(obligatorio)',
  'Source of {label}': 'Origen de {label}',
  'Not in the file': 'No está en el archivo',
  'The same for all rows': 'El mismo para todas las filas',
  'Value of {label} in all rows': 'Valor de {label} en todas las filas',
  // pages/cards/print-page.tsx
  '24 QR codes on each page, with lines to cut. Print without scaling.':
    '24 códigos QR por página, con líneas de corte. Imprima sin escalar.',
  Paper: 'Papel',
  'Copies of each card': 'Copias de cada tarjeta',
  'No cards to print': 'No hay tarjetas para imprimir',
  'Choose another search or status in the list of cards.':
    'Elija otra búsqueda u otro estado en la lista de tarjetas.',
  'Page {number}': 'Página {number}',
  'Previous part': 'Parte anterior',
  'Next part': 'Parte siguiente',
  'Valid until {endTime}': 'Válida hasta {endTime}',
  // pages/cards/verification-section.tsx
  Undo: 'Deshacer',
  'Undo||badge': 'Anulación',
  Refused: 'Rechazado',
  'Scanned by': 'Escaneado por',
  Redeem: 'Canjear',
  'Check in': 'Registrar la entrada',
  Scans: 'Escaneos',
  'the scan of {createTime}': 'el escaneo de {createTime}',
  'Nobody has scanned this card yet': 'Todavía nadie ha escaneado esta tarjeta',
  // pages/contracts/contract-forms.ts
  Symbol: 'Símbolo',
  'Such as PRINT.': 'Por ejemplo PRINT.',
  Owner: 'Propietario',
  'The wallet that created the collection.': 'El monedero que creó la colección.',
  Category: 'Categoría',
  'Your own word, such as collection.': 'Una palabra suya, por ejemplo colección.',
  Description: 'Descripción',
  'For adults only': 'Solo para adultos',
  'What buyers see, at most 200 characters.': 'Lo que ven los compradores, 200 caracteres como máximo.',
  'The address of the contract on its chain.': 'La dirección del contrato en su cadena.',
  'Chain id': 'Id de la cadena',
  'A number, such as 8453 for Base.': 'Un número, por ejemplo 8453 para Base.',
  'Type of the tokens': 'Tipo de los tokens',
  'Follow transfers on the chain': 'Seguir las transferencias en la cadena',
  'The chain then determines who owns the tokens. This cannot be changed later. Without it, ownership changes only by sales here.':
    'Entonces la cadena determina a quién pertenecen los tokens. No se puede cambiar después. Sin ello, la propiedad solo cambia por las ventas de aquí.',
  'Add it even if the gateway cannot read the chain': 'Añadirlo aunque el gateway no pueda leer la cadena',
  'Tokens cannot be sold or minted until an operator connects the chain.':
    'Los tokens no se pueden vender ni acuñar hasta que un operador conecte la cadena.',
  'Add contract': 'Añadir contrato',
  '{name} is added': 'Se ha añadido {name}',
  Save: 'Guardar',
  '{name} is saved': 'Se ha guardado {name}',
  // pages/contracts/contract-page.tsx
  'The contract disappears from the project, not from the chain. It can only be removed while it has no NFTs and nobody owns its tokens.':
    'El contrato desaparece del proyecto, no de la cadena. Solo se puede eliminar mientras no tenga NFT y sus tokens no pertenezcan a nadie.',
  'Show all NFTs': 'Mostrar todos los NFT',
  'No NFTs yet': 'Todavía no hay NFT',
  'Add an NFT, or let buyers mint them.': 'Añada un NFT o deje que los compradores los acuñen.',
  'The NFTs of this contract appear here.': 'Los NFT de este contrato aparecen aquí.',
  // pages/contracts/contracts-page.tsx
  'The contracts whose tokens the project sells and mints.':
    'Los contratos cuyos tokens vende y acuña el proyecto.',
  'Search by name, symbol or address': 'Buscar por nombre, símbolo o dirección',
  Type: 'Tipo',
  'No contracts yet': 'Todavía no hay contratos',
  'Add the contract of your collection. Then its NFTs can be added, sold and minted.':
    'Añada el contrato de su colección. Después sus NFT se pueden añadir, vender y acuñar.',
  'The contracts of the project’s collections appear here.':
    'Los contratos de las colecciones del proyecto aparecen aquí.',
  // pages/contracts/indexing-section.tsx
  Indexing: 'Indexación',
  'Only operators see how far indexing is': 'Solo los operadores ven hasta dónde llega la indexación',
  'If owners look out of date, ask an operator to check the health of the chain.':
    'Si los propietarios no parecen estar al día, pida a un operador que compruebe la salud de la cadena.',
  'This gateway does not read the chain, so its tokens cannot be sold or minted.':
    'Este gateway no lee la cadena, así que sus tokens no se pueden vender ni acuñar.',
  'Newest block': 'Bloque más reciente',
  'Chain cannot be read': 'No se puede leer la cadena',
  'No contract of this chain is indexed, so transfers outside of this shop are not seen.':
    'No se indexa ningún contrato de esta cadena, así que no se ven las transferencias fuera de esta tienda.',
  Behind: 'Con retraso',
  'Up to date': 'Al día',
  'Blocks behind': 'Bloques de retraso',
  'Time behind': 'Tiempo de retraso',
  // pages/events/event-dialog.tsx
  'There is no such event': 'Este evento no existe',
  'It may have been deleted because of its age.': 'Quizá se borró por su antigüedad.',
  'Event {type}': 'Evento {type}',
  Subject: 'Asunto',
  'Number in the feed': 'Número en la lista de eventos',
  Id: 'Id',
  'All events of this subject': 'Todos los eventos de este asunto',
  'The event as JSON': 'El evento en JSON',
  // pages/events/events-page.tsx
  'Everything that happened in the project, newest first. Webhooks send the same events to your programs.':
    'Todo lo que ha pasado en el proyecto, de lo más nuevo a lo más antiguo. Los webhooks envían los mismos eventos a sus programas.',
  'Search by subject, order number or address': 'Buscar por asunto, número de pedido o dirección',
  'Search older events': 'Buscar eventos más antiguos',
  'Show older events': 'Mostrar eventos más antiguos',
  '{count, plural, one {# event} other {# events}} shown.':
    '{count, plural, one {Se muestra # evento.} other {Se muestran # eventos.}}',
  'This is the oldest stored event that matches.':
    'Este es el evento guardado más antiguo que cumple los filtros.',
  'No events yet': 'Todavía no hay eventos',
  'Events appear as soon as something happens in the project, such as a new card or an order.':
    'Los eventos aparecen en cuanto pasa algo en el proyecto, por ejemplo una tarjeta nueva o un pedido.',
  'The whole feed was searched. Events are stored for a limited time, so older ones may be gone.':
    'Se buscó en toda la lista. Los eventos se guardan durante un tiempo limitado, así que los más antiguos pueden haber desaparecido.',
  'Searched all events down to number {older}.': 'Se buscó en todos los eventos hasta el número {older}.',
  'No such event found': 'No se encontró ningún evento así',
  'What happened': 'Qué ha pasado',
  // pages/invitation/invitation-page.tsx
  Invitation: 'Invitación',
  'Sign in': 'Iniciar sesión',
  'This invitation is not valid': 'Esta invitación no es válida',
  'It has expired, was used or was revoked. If you have used it yourself, sign in. Otherwise ask the person who invited you for a new one.':
    'Ha caducado, se usó o se revocó. Si la usó usted, inicie sesión. Si no, pida una nueva a la persona que le invitó.',
  'The invitation is for {email}.': 'La invitación es para {email}.',
  'Operate this server': 'Operar este servidor',
  'You are invited as an operator, who sees all projects and decides what the server cannot.':
    'Tiene una invitación como operador, que ve todos los proyectos y decide lo que el servidor no puede decidir.',
  'Become an operator': 'Ser operador',
  'Join {projectName}': 'Unirse a {projectName}',
  'You are invited as {role}. {description}': 'Tiene una invitación como {role}. {description}',
  'Join the project': 'Unirse al proyecto',
  'This email address has an account already. Sign in to accept the invitation.':
    'Esta dirección de correo ya tiene una cuenta. Inicie sesión para aceptar la invitación.',
  'If you have never created an account here, somebody else has used your address. Ask an operator of this server to remove that account, then open the invitation again.':
    'Si nunca ha creado una cuenta aquí, otra persona ha usado su dirección. Pida a un operador de este servidor que elimine esa cuenta y vuelva a abrir la invitación.',
  'You are signed in as {email}. Sign out, and open the invitation again.':
    'Ha iniciado sesión como {email}. Cierre la sesión y vuelva a abrir la invitación.',
  // pages/invitation/new-person-form.tsx
  'Repeat the password': 'Repita la contraseña',
  'Your name': 'Su nombre',
  // pages/keys/key-status.tsx
  Revoked: 'Revocado',
  // pages/keys/keys-page.tsx
  'What the key is for, such as the name of the program.':
    'Para qué es la clave, por ejemplo el nombre del programa.',
  'What it may do': 'Lo que puede hacer',
  Scopes: 'Permisos',
  'What the key does is done by this wallet, such as listing a token.':
    'Lo que hace la clave lo hace este monedero, por ejemplo poner un token a la venta.',
  'Create key': 'Crear clave',
  'Hours until the previous secret ends': 'Horas hasta que termine el secreto anterior',
  'From 0 to 8,760. Until then both secrets are valid.':
    'De 0 a 8.760. Hasta entonces ambos secretos son válidos.',
  'Replace the secret of {name}': 'Sustituir el secreto de {name}',
  'Create a new secret': 'Crear un secreto nuevo',
  'Secret of {name}': 'Secreto de {name}',
  'Copy the secret now': 'Copie el secreto ahora',
  'It is shown only once. Store it where the program reads its secrets, not in its code.':
    'Solo se muestra una vez. Guárdelo donde el programa lee sus secretos, no en su código.',
  Key: 'Clave',
  Secret: 'Secreto',
  'Revoke {name}?': '¿Revocar {name}?',
  'Within a second, the gateway accepts no call with this key. This cannot be undone.':
    'En un segundo, el gateway deja de aceptar llamadas con esta clave. No se puede deshacer.',
  Revoke: 'Revocar',
  '{name} is revoked': 'Se ha revocado {name}',
  'Programs sign their calls with a key. Give each program a key of its own, with the scopes it needs.':
    'Los programas firman sus llamadas con una clave. Dé a cada programa una clave propia, con los permisos que necesita.',
  'Replace the secret': 'Sustituir el secreto',
  'No keys yet': 'Todavía no hay claves',
  'Create a key for the program that calls the gateway, such as your shop.':
    'Cree una clave para el programa que llama al gateway, por ejemplo su tienda.',
  'The keys of programs that call the gateway appear here.':
    'Las claves de los programas que llaman al gateway aparecen aquí.',
  'All except people, keys and audit': 'Todo excepto personas, claves y auditoría',
  'All of the shop, and {others}': 'Toda la tienda y {others}',
  // pages/keys/publishable-keys-section.tsx
  'What the key is for, such as the website of the shop.':
    'Para qué es la clave, por ejemplo el sitio web de la tienda.',
  Origins: 'Orígenes',
  'One in each line: the pages that may use the key, such as https://shop.example or http://localhost:5173. At most 20.':
    'Uno por línea: las páginas que pueden usar la clave, por ejemplo https://shop.example o http://localhost:5173. Como máximo 20.',
  'Without a choice, the key has both.': 'Si no elige ninguno, la clave tiene los dos.',
  'Create publishable key': 'Crear clave publicable',
  'Within a second, the gateway accepts no call with this key, so pages that use it show no catalog. This cannot be undone.':
    'En un segundo, el gateway deja de aceptar llamadas con esta clave, así que las páginas que la usan no muestran el catálogo. No se puede deshacer.',
  'Publishable keys': 'Claves publicables',
  'A page in a browser reads the catalog of the shop with a publishable key. It is no secret: everybody can read what it reads, and it changes nothing.':
    'Una página en un navegador lee el catálogo de la tienda con una clave publicable. No es secreta: todos pueden leer lo que ella lee, y no cambia nada.',
  'No publishable keys yet': 'Todavía no hay claves publicables',
  'Create one for the pages of your shop. Programs on your servers use an API key instead.':
    'Cree una para las páginas de su tienda. Los programas de sus servidores usan una clave de API.',
  'The keys of the shop’s pages appear here.': 'Las claves de las páginas de la tienda aparecen aquí.',
  // pages/keys/scopes.ts
  'Shop server': 'Servidor de la tienda',
  'Reads what is for sale. Places, cancels and refunds orders. A page needs a publishable key.':
    'Lee lo que está a la venta. Realiza, cancela y reembolsa pedidos. Una página necesita una clave publicable.',
  Till: 'Caja',
  'Reads cards and redeems them. It sees no codes.': 'Lee tarjetas y las canjea. No ve los códigos.',
  Accounting: 'Contabilidad',
  'Reads orders, sales, cards and events.': 'Lee pedidos, ventas, tarjetas y eventos.',
  Everything: 'Todo',
  'All of the shop. It does not manage people, keys or the audit log.':
    'Toda la tienda. No gestiona personas, claves ni el registro de auditoría.',
  'Choose myself': 'Elegir a mano',
  'You choose each scope.': 'Usted elige cada permiso.',
  // pages/market/asset-fields.ts
  '{name} #{nftId}, {available} available, of {owner}':
    '{name} #{nftId}, {available} disponibles, de {owner}',
  'What wallets of the project own. Reserved units are not offered.':
    'Lo que pertenece a los monederos del proyecto. Las unidades reservadas no se ofrecen.',
  'Another token: enter it': 'Otro token: introducirlo',
  Contract: 'Contrato',
  'The address of a contract of the project.': 'La dirección de un contrato del proyecto.',
  // pages/market/auctions/auction-form.tsx
  'The auction of {nftName} is created': 'Se ha creado la subasta de {nftName}',
  'They are sold together.': 'Se venden juntas.',
  'Lowest first bid': 'Primera puja mínima',
  'For all units together.': 'Por todas las unidades juntas.',
  Starts: 'Empieza',
  Ends: 'Termina',
  'In your time zone. A late bid can extend it.': 'En su zona horaria. Una puja tardía puede prolongarla.',
  'Minimum raise in percent': 'Aumento mínimo en porcentaje',
  'Over the bid before: 0 to 100.': 'Sobre la puja anterior: de 0 a 100.',
  'Extension in seconds': 'Prórroga en segundos',
  'A bid placed in the last seconds extends the auction by the same number of seconds: 0 to 86,400.':
    'Una puja en los últimos segundos prolonga la subasta ese tiempo: de 0 a 86.400.',
  // pages/market/auctions/auction-page.tsx
  Auctions: 'Subastas',
  '{nftName}, auction {id}': '{nftName}, subasta {id}',
  'Cancel the auction': 'Cancelar la subasta',
  Bidder: 'Postor',
  Bid: 'Puja',
  'No bids yet': 'Todavía no hay pujas',
  'A bid appears here as soon as it is placed.': 'Una puja aparece aquí en cuanto se hace.',
  'The newest {shown} of {count} bids are shown.': 'Se muestran las {shown} pujas más recientes de {count}.',
  State: 'Situación',
  'Highest bid': 'Puja más alta',
  'No bid yet': 'Todavía no hay pujas',
  'Highest bidder': 'Mejor postor',
  'Reserve price': 'Precio de reserva',
  Reached: 'Alcanzado',
  'Not reached': 'No alcanzado',
  'Order of the winner': 'Pedido del ganador',
  'Buyout price': 'Precio de compra inmediata',
  'Minimum raise': 'Aumento mínimo',
  'Extension by late bids': 'Prórroga por pujas tardías',
  'Starts in': 'Empieza en',
  'Ends in': 'Termina en',
  'Cancel the auction of {nftName}?': '¿Cancelar la subasta de {nftName}?',
  'This cannot be undone. Only an auction without bids can be cancelled.':
    'No se puede deshacer. Solo se puede cancelar una subasta sin pujas.',
  'Keep the auction': 'Mantener la subasta',
  'The auction of {nftName} is cancelled': 'Se ha cancelado la subasta de {nftName}',
  // pages/market/auctions/auctions-page.tsx
  'The highest bid at the end wins. Here are the auctions that changed within the time for which the gateway keeps events.':
    'Gana la puja más alta al final. Aquí están las subastas que cambiaron durante el tiempo en que el gateway guarda los eventos.',
  'Create auction': 'Crear subasta',
  Bids: 'Pujas',
  'No auctions': 'No hay subastas',
  'Create an auction for a token that has no fixed price.':
    'Cree una subasta para un token que no tiene precio fijo.',
  'Auctions and their bids appear here.': 'Las subastas y sus pujas aparecen aquí.',
  'The gateway has more events about auctions than were read. Older auctions may be missing.':
    'El gateway tiene más eventos de subastas de los que se leyeron. Pueden faltar subastas antiguas.',
  // pages/market/auctions/auctions.ts
  'Won: waits for the payment': 'Ganada: espera el pago',
  Sold: 'Vendido',
  'Not paid': 'Sin pagar',
  'Not sold': 'Sin vender',
  'Paused: the seller no longer has enough': 'Pausado: el vendedor ya no tiene suficiente',
  Upcoming: 'Próximo',
  // pages/market/auctions/bid-chart.tsx
  'Bid in {unit}': 'Puja en {unit}',
  'Bids over time': 'Pujas a lo largo del tiempo',
  // pages/market/coupons/coupon-details.tsx
  Valid: 'Válido',
  'Used up': 'Agotado',
  Never: 'Nunca',
  '{used}, no limit': '{used}, sin límite',
  '{used} of {maxRedemptions}': '{used} de {maxRedemptions}',
  'Uses for each wallet': 'Usos por monedero',
  'Minimum of an order': 'Mínimo por pedido',
  // pages/market/coupons/coupon-dialogs.tsx
  'Download as CSV': 'Descargar como CSV',
  'Code {code}': 'Código {code}',
  'No open listing accepts this coupon.': 'Ninguna publicación abierta acepta este cupón.',
  'Open listings with this coupon': 'Publicaciones abiertas con este cupón',
  // pages/market/coupons/coupons-page.tsx
  'Coupons lower the price of listings. Here are those that were created or used within the time for which the gateway keeps events.':
    'Los cupones bajan el precio de las publicaciones. Aquí están los que se crearon o se usaron durante el tiempo en que el gateway guarda los eventos.',
  'Find a code': 'Buscar un código',
  Coupon: 'Cupón',
  Listings: 'Publicaciones',
  'No coupons': 'No hay cupones',
  'Create a coupon with codes for your customers.': 'Cree un cupón con códigos para sus clientes.',
  'Coupons and their codes appear here.': 'Los cupones y sus códigos aparecen aquí.',
  'The gateway has more events about coupons than were read. Use the search to find others by their code.':
    'El gateway tiene más eventos de cupones de los que se leyeron. Use la búsqueda para encontrar otros por su código.',
  // pages/market/coupons/coupons.ts
  '{value} base units of the listing’s token': '{value} unidades base del token de la publicación',
  '{value}% off': '{value} % de descuento',
  '{value} off an order': '{value} menos por pedido',
  '{value} for one unit': '{value} por una unidad',
  // pages/market/listings/close-listing.ts
  'Take {nftName} off the shelf?': '¿Retirar {nftName} de la venta?',
  '{count, plural, one {# unit that nobody has ordered is} other {# units that nobody has ordered are}} no longer for sale. Open orders can still be paid. A closed listing cannot be opened again: put the token on the shelf anew.':
    '{count, plural, one {# unidad que nadie ha pedido deja} other {# unidades que nadie ha pedido dejan}} de estar a la venta. Los pedidos abiertos aún se pueden pagar. Una publicación cerrada no se puede volver a abrir: ponga el token a la venta otra vez.',
  'Take off the shelf': 'Retirar de la venta',
  '{nftName} is off the shelf': '{nftName} se ha retirado de la venta',
  // pages/market/listings/listing-end.tsx
  'Open end': 'Sin fecha de fin',
  // pages/market/listings/listing-form.tsx
  'Kind of sale': 'Tipo de venta',
  'Create a coupon first': 'Cree primero un cupón',
  'This kind of sale needs a coupon with codes. Create one in Coupons.':
    'Este tipo de venta necesita un cupón con códigos. Cree uno en Cupones.',
  'They are reserved while the listing is open.': 'Quedan reservadas mientras la publicación está abierta.',
  'Price of one unit': 'Precio de una unidad',
  'Wallets that can buy': 'Monederos que pueden comprar',
  'One address in each line, at most 1,000.': 'Una dirección por línea, 1.000 como máximo.',
  'In your time zone. Empty: now.': 'En su zona horaria. Vacío: ahora.',
  'In your time zone. Empty: after ten years.': 'En su zona horaria. Vacío: dentro de diez años.',
  // pages/market/listings/listing-page.tsx
  'On the shelf': 'A la venta',
  'Sold out': 'Agotado',
  'Taken off': 'Retirado',
  '{nftName}, listing {id}': '{nftName}, publicación {id}',
  Details: 'Detalles',
  Listed: 'Publicada',
  // pages/market/listings/listings-page.tsx
  '{nftName} is on the shelf': '{nftName} está a la venta',
  'What the project sells at present.': 'Lo que el proyecto vende ahora.',
  'Nothing of this kind is on the shelf': 'No hay nada de este tipo a la venta',
  'Put a token on the shelf, or choose another kind.': 'Ponga un token a la venta o elija otro tipo.',
  'Choose another kind. What is for sale appears here.':
    'Elija otro tipo. Lo que está a la venta aparece aquí.',
  'The gateway lists listings that are open. Those that were sold or closed are in the orders.':
    'El gateway muestra las publicaciones abiertas. Las vendidas o cerradas están en los pedidos.',
  // pages/market/market-tabs.tsx
  Coupons: 'Cupones',
  Offers: 'Ofertas',
  'Product cards': 'Fichas de producto',
  'Parts of the market': 'Partes del mercado',
  // pages/market/offers/offers-page.tsx
  'No offers received': 'No se ha recibido ninguna oferta',
  'Offers for the tokens of this wallet appear here.':
    'Las ofertas por los tokens de este monedero aparecen aquí.',
  'No offers made': 'No se ha hecho ninguna oferta',
  'Offers that this wallet makes appear here.': 'Las ofertas que hace este monedero aparecen aquí.',
  'Prices that buyers propose for tokens. Offers belong to wallets: choose one.':
    'Precios que los compradores proponen por tokens. Las ofertas pertenecen a monederos: elija uno.',
  Direction: 'Sentido',
  Received: 'Recibidas',
  Made: 'Hechas',
  'Choose a wallet': 'Elija un monedero',
  'Enter the address of the wallet whose offers you want to see.':
    'Introduzca la dirección del monedero cuyas ofertas quiere ver.',
  // pages/market/products/product-page.tsx
  'Shown to buyers': 'Visible para compradores',
  Hidden: 'Oculto',
  'What buyers see.': 'Lo que ven los compradores.',
  'The wallet that makes the product.': 'El monedero que hace el producto.',
  'The most units. 0: no limit.': 'El máximo de unidades. 0: sin límite.',
  License: 'Licencia',
  Visibility: 'Visibilidad',
  'Add product': 'Añadir producto',
  'The product is added': 'El producto se ha añadido',
  'This cannot be undone. A product of which a unit is reserved or minted cannot be removed.':
    'No se puede deshacer. No se puede eliminar un producto del que se ha reservado o acuñado una unidad.',
  'On sale': 'A la venta',
  'All reserved': 'Todo reservado',
  'Product card of {name}': 'Ficha de producto de {name}',
  Products: 'Productos',
  Reserved: 'Reservado',
  'No products yet': 'Todavía no hay productos',
  'Add the first product that buyers can mint.':
    'Añada el primer producto que los compradores puedan acuñar.',
  'Products that buyers can mint appear here.':
    'Los productos que los compradores pueden acuñar aparecen aquí.',
  'The gateway returns the newest 100 products.': 'El gateway devuelve los 100 productos más recientes.',
  Mints: 'Acuñaciones',
  'No mints yet': 'Todavía no hay acuñaciones',
  'When a buyer gets permission to mint, it appears here.':
    'Cuando un comprador recibe permiso para acuñar, aparece aquí.',
  // pages/market/products/products-page.tsx
  'Products whose NFTs buyers mint. Each contract has its own product card.':
    'Productos cuyos NFT acuñan los compradores. Cada contrato tiene su ficha de producto.',
  'Add a contract first. Its product card is here then.':
    'Añada primero un contrato. Después su ficha de producto está aquí.',
  'Each contract of the project has its product card here.':
    'Cada contrato del proyecto tiene aquí su ficha de producto.',
  // pages/minting/collection-page.tsx
  'Minting of {name}': 'Acuñación de {name}',
  'The project has no minter yet': 'El proyecto todavía no tiene un firmante de acuñaciones',
  'Saving the settings of the collection creates the minter, whose address appears here: the contract must allow it to sign mints.':
    'Al guardar los ajustes de la colección se crea el firmante, cuya dirección aparece aquí: el contrato debe permitirle firmar acuñaciones.',
  'The project’s minter signs the mints': 'El firmante del proyecto firma las acuñaciones',
  'The contract must allow {minter} to sign mints. Otherwise it refuses what buyers send.':
    'El contrato debe permitir que {minter} firme acuñaciones. Si no, rechaza lo que envían los compradores.',
  'Parts of the collection': 'Partes de la colección',
  'Minted tokens': 'Tokens acuñados',
  'Minted NFTs': 'NFT acuñados',
  'NFTs on display': 'NFT visibles',
  'Reserved NFTs': 'NFT reservados',
  'Hidden NFTs': 'NFT ocultos',
  'Here are the mints that changed within the time for which the gateway keeps events.':
    'Aquí están las acuñaciones que cambiaron durante el tiempo en que el gateway guarda los eventos.',
  'The gateway has more events about mints than were read. Older mints may be missing.':
    'El gateway tiene más eventos de acuñaciones de los que se leyeron. Pueden faltar acuñaciones antiguas.',
  // pages/minting/lazy-nfts-section.tsx
  'On display': 'Visible',
  'On display: can be minted': 'Visible: se puede acuñar',
  'Hidden: cannot be minted': 'Oculto: no se puede acuñar',
  'Empty: that of the collection.': 'Vacío: la de la colección.',
  'Add NFT': 'Añadir NFT',
  'This cannot be undone. An NFT that is reserved or minted cannot be removed.':
    'No se puede deshacer. No se puede eliminar un NFT reservado o acuñado.',
  'NFTs to mint': 'NFT por acuñar',
  'No NFTs to mint yet': 'Todavía no hay NFT por acuñar',
  'Add the NFTs that buyers can mint, or let buyers mint by quantity in the settings.':
    'Añada los NFT que los compradores pueden acuñar, o permita en los ajustes que acuñen por cantidad.',
  'The NFTs that buyers can mint appear here. Buyers may mint by quantity, too.':
    'Los NFT que los compradores pueden acuñar aparecen aquí. Puede que los compradores también acuñen por cantidad.',
  // pages/minting/minting-page.tsx
  'Collections whose NFTs buyers mint themselves, in phases.':
    'Colecciones cuyos NFT acuñan los propios compradores, por fases.',
  Collection: 'Colección',
  'Open phase': 'Fase abierta',
  'No collections yet': 'Todavía no hay colecciones',
  'Each contract of the project is a collection. Add a contract first.':
    'Cada contrato del proyecto es una colección. Añada primero un contrato.',
  'Each contract of the project is a collection and appears here.':
    'Cada contrato del proyecto es una colección y aparece aquí.',
  'Go to contracts': 'Ir a los contratos',
  // pages/minting/settings-section.tsx
  'Empty: the name of the contract.': 'Vacío: el nombre del contrato.',
  'Empty: the image of the contract.': 'Vacío: la imagen del contrato.',
  Banner: 'Banner',
  'Edit settings': 'Editar los ajustes',
  'The settings are saved': 'Los ajustes se han guardado',
  'One address of an image in each line, at most 100.': 'Una dirección de imagen por línea, 100 como máximo.',
  'Edit previews': 'Editar las vistas previas',
  'The previews are saved': 'Las vistas previas se han guardado',
  'Signs the mints': 'Firma las acuñaciones',
  'There are no previews.': 'No hay vistas previas.',
  // pages/new-password/new-password-page.tsx
  'You are signed out on all devices, and your passkeys are removed. Your second factor stays.':
    'Se han cerrado sus sesiones en todos los dispositivos y se han eliminado sus claves de acceso. El segundo factor se mantiene.',
  'Request a new link': 'Pedir un enlace nuevo',
  // pages/new-password/request-page.tsx
  'Look for a mail': 'Mire su correo',
  'If {email} has an account, a mail with a link is on its way. The link works for an hour.':
    'Si {email} tiene una cuenta, un correo con un enlace está en camino. El enlace funciona durante una hora.',
  'You get a mail with a link by which you choose a new password.':
    'Recibirá un correo con un enlace para elegir una contraseña nueva.',
  'Send the link': 'Enviar el enlace',
  'Back to the sign-in': 'Volver al inicio de sesión',
  // pages/nfts/add-nft.tsx
  'Add a contract first': 'Añada primero un contrato',
  'An NFT is a token of a contract. Add the contract of your collection.':
    'Un NFT es un token de un contrato. Añada el contrato de su colección.',
  'The number of the token in its contract.': 'El número del token en su contrato.',
  'First owner': 'Primer propietario',
  'The wallet that has the token now.': 'El monedero que tiene el token ahora.',
  '1 for ERC-721. For ERC-1155, the size of the edition.':
    '1 para ERC-721. Para ERC-1155, el tamaño de la edición.',
  'Preview of the image': 'Vista previa de la imagen',
  // pages/nfts/nft-page.tsx
  'The NFT disappears from the project, not from the chain. It can only be removed while its first owner has it and nothing of it is listed.':
    'El NFT desaparece del proyecto, no de la cadena. Solo se puede eliminar mientras lo tenga su primer propietario y nada de él esté a la venta.',
  'Put on the shelf': 'Poner a la venta',
  Creator: 'Creador',
  Royalty: 'Regalía',
  'Media file': 'Archivo multimedia',
  'This NFT has no properties.': 'Este NFT no tiene propiedades.',
  '{rarity} have this': '{rarity} la tienen',
  'No owner is known.': 'No se conoce ningún propietario.',
  'The newest {count} holdings of the collection were searched. There may be more owners.':
    'Se buscó en las {count} tenencias más recientes de la colección. Puede haber más propietarios.',
  'No open offers': 'No hay ofertas abiertas',
  'Offers of buyers for this NFT appear here.': 'Las ofertas de compradores por este NFT aparecen aquí.',
  // pages/nfts/nfts-page.tsx
  View: 'Vista',
  Grid: 'Cuadrícula',
  List: 'Lista',
  'The tokens of your contracts, with their owners.': 'Los tokens de sus contratos, con sus propietarios.',
  'Search by name, description or token id': 'Buscar por nombre, descripción o id del token',
  'Only tokens with {trait}: {value}': 'Solo tokens con {trait}: {value}',
  'Only tokens of {owner}': 'Solo tokens de {owner}',
  'Add an NFT of one of your contracts. If you have no contract, add one first.':
    'Añada un NFT de uno de sus contratos. Si no tiene ningún contrato, añada primero uno.',
  'The NFTs of the project’s contracts appear here.': 'Los NFT de los contratos del proyecto aparecen aquí.',
  // pages/orders/order-details.tsx
  'Waits for the chain': 'Espera a la cadena',
  'Paid by the buyer': 'Pagado por el comprador',
  'Price before coupon': 'Precio antes del cupón',
  'All orders': 'Todos los pedidos',
  'Payment until': 'Pago hasta',
  Delivery: 'Entrega',
  Payment: 'Pago',
  'Order number': 'Número de pedido',
  'Pay token': 'Token de pago',
  'Native token of the chain': 'Token nativo de la cadena',
  'Newest block when placed': 'Bloque más reciente al realizarlo',
  'Block of the payment': 'Bloque del pago',
  // pages/orders/order-page.tsx
  'Order {orderNo}': 'Pedido {orderNo}',
  'Print receipt': 'Imprimir recibo',
  History: 'Historial',
  'History of the order': 'Historial del pedido',
  'Times of the steps in between are in the audit log, which owners and auditors may read.':
    'Las horas de los pasos intermedios están en el registro de auditoría, que pueden leer los propietarios y los auditores.',
  'by {actor}': 'por {actor}',
  'Cancel this order?': '¿Cancelar este pedido?',
  'What it reserves is available again. The buyer must place a new order.':
    'Lo que reserva vuelve a estar disponible. El comprador tendrá que hacer un pedido nuevo.',
  'Keep the order': 'Mantener el pedido',
  'The order is cancelled': 'El pedido se ha cancelado',
  // pages/orders/order-refunds.tsx
  '{reason} An operator decides whether the order counts as paid.':
    '{reason} Un operador decide si el pedido cuenta como pagado.',
  'This order needs a decision': 'Este pedido requiere una decisión',
  '{reason} Give the money back, or ask an operator to count the order as paid.':
    '{reason} Devuelva el dinero o pida a un operador que cuente el pedido como pagado.',
  'Give the money back': 'Devolver el dinero',
  'Give the money back?': '¿Devolver el dinero?',
  'The order ends without a sale, and what it reserves is available again. Then the seller sends the money to the buyer: this page shows how much. This cannot be undone.':
    'El pedido termina sin venta y lo que reserva vuelve a estar disponible. Después el vendedor envía el dinero al comprador: esta página muestra cuánto. No se puede deshacer.',
  'The order is declined. Send the money to the buyer now':
    'El pedido se ha rechazado. Envíe ahora el dinero al comprador',
  'The order is declined': 'El pedido se ha rechazado',
  'Record a refund': 'Registrar un reembolso',
  'The gateway checks the transaction on the chain. Its block must be final, which takes up to a few minutes.':
    'El gateway comprueba la transacción en la cadena. Su bloque debe ser definitivo, lo que tarda unos minutos como máximo.',
  'Record refund': 'Registrar el reembolso',
  'The refund is recorded': 'El reembolso se ha registrado',
  'The refund is recorded. A part is still due': 'El reembolso se ha registrado. Todavía falta una parte',
  'To send': 'Por enviar',
  'From the wallet of the seller': 'Desde el monedero del vendedor',
  'To the wallet of the buyer': 'Al monedero del comprador',
  Refund: 'Reembolso',
  'Send this from the wallet of the seller, on {chainId}, and record the transaction. A transfer from another wallet cannot be recorded.':
    'Envíelo desde el monedero del vendedor, en {chainId}, y registre la transacción. No se puede registrar una transferencia desde otro monedero.',
  'Paid back': 'Devuelto',
  'Paid back in all': 'Devuelto en total',
  // pages/orders/order-timeline.ts
  'A part of the price was paid': 'Se pagó una parte del precio',
  'Money was sent back to the buyer': 'Se devolvió dinero al comprador',
  'Nothing is due to the buyer': 'No se debe nada al comprador',
  'Waits for the transfer of the token': 'Espera la transferencia del token',
  'Delivered to the buyer': 'Entregado al comprador',
  'The payment is no longer in a block': 'El pago ya no está en un bloque',
  // pages/orders/orders-page.tsx
  Today: 'Hoy',
  'Last 7 days': 'Últimos 7 días',
  'Last 30 days': 'Últimos 30 días',
  'Last 90 days': 'Últimos 90 días',
  'Search by order number or name': 'Buscar por número de pedido o nombre',
  'No orders yet': 'Todavía no hay pedidos',
  'Orders appear here as soon as somebody buys something of the project.':
    'Los pedidos aparecen aquí en cuanto alguien compra algo del proyecto.',
  // pages/overview/attention.tsx
  'Needs attention': 'Requiere atención',
  '{orders} cannot be decided by the server': 'El servidor no puede decidir {orders}',
  'The payment is not what was ordered. The page of each order says what to do.':
    'El pago no es lo que se pidió. La página de cada pedido dice qué hacer.',
  'A refund is due for {orders}': 'Hay un reembolso pendiente de {orders}',
  'The page of each order shows how much to send, and to whom.':
    'La página de cada pedido muestra cuánto enviar y a quién.',
  '{count, plural, one {# order} other {# orders}}': '{count, plural, one {# pedido} other {# pedidos}}',
  'Show them': 'Mostrarlos',
  'Show it': 'Mostrarlo',
  'The webhook {url} is disabled': 'El webhook {url} está desactivado',
  'Its receiver failed for five days. Repair the receiver, then enable the webhook.':
    'Su receptor falló durante cinco días. Repare el receptor y active el webhook.',
  'The webhook {url} does not accept events': 'El webhook {url} no acepta eventos',
  'Its receiver has failed for some time. After five days, the gateway disables it.':
    'Su receptor falla desde hace un tiempo. Después de cinco días, el gateway lo desactiva.',
  'You sign in without a second factor.': 'Usted inicia sesión sin segundo factor.',
  'Turn it on': 'Activarlo',
  '{count, plural, one {# owner or manager signs} other {# owners and managers sign}} in without a second factor.':
    '{count, plural, one {# propietario o encargado inicia} other {# propietarios y encargados inician}} sesión sin segundo factor.',
  'Show people': 'Mostrar las personas',
  // pages/overview/first-steps.tsx
  'First steps': 'Primeros pasos',
  'Create a card': 'Cree una tarjeta',
  'Such as a free coffee. It has a QR code that your customers show.':
    'Por ejemplo un café gratis. Tiene un código QR que muestran sus clientes.',
  'Print it, or send its link': 'Imprímala o envíe su enlace',
  'The page of each card has its QR code and its link.':
    'La página de cada tarjeta tiene su código QR y su enlace.',
  'Invite your staff': 'Invite a su personal',
  'They scan cards at the counter, and cannot change anything else.':
    'Escanea las tarjetas en el mostrador y no puede cambiar nada más.',
  'Scan the card': 'Escanee la tarjeta',
  'With the camera of a phone. The first redeemed card ends this list.':
    'Con la cámara de un teléfono. Con la primera tarjeta canjeada termina esta lista.',
  // pages/overview/overview-page.tsx
  Period: 'Período',
  '{value} days': '{value} días',
  'Newest orders': 'Pedidos más recientes',
  // pages/overview/totals.tsx
  'Last {days} days': 'Últimos {days} días',
  'Cards redeemed': 'Tarjetas canjeadas',
  'Scans refused': 'Escaneos rechazados',
  'Orders paid': 'Pedidos pagados',
  Revenue: 'Ingresos',
  'Revenue in {token}': 'Ingresos en {token}',
  'Scans of cards': 'Escaneos de tarjetas',
  // pages/people/people-page.tsx
  Role: 'Rol',
  'What the person does in the project is done by this wallet, such as listing a token.':
    'Lo que la persona hace en el proyecto lo hace este monedero, por ejemplo poner un token a la venta.',
  Invite: 'Invitar',
  'Change {name}': 'Cambiar {name}',
  '{name} is changed': 'Se ha cambiado {name}',
  'Sign out {name} everywhere?': '¿Cerrar todas las sesiones de {name}?',
  'The person must sign in again on every device, for other projects too. Use it when a device is lost.':
    'La persona tendrá que volver a iniciar sesión en cada dispositivo, también para otros proyectos. Úselo cuando se pierda un dispositivo.',
  'Sign out everywhere': 'Cerrar todas las sesiones',
  '{name} is signed out': 'Se han cerrado las sesiones de {name}',
  '{name} can no longer open this project. The API keys of the project stay valid: revoke those that {name} knows.':
    '{name} ya no podrá abrir este proyecto. Las claves de API del proyecto siguen siendo válidas: revoque las que {name} conoce.',
  'Who may use the console for this project, and what they may do.':
    'Quién puede usar la consola de este proyecto y qué puede hacer.',
  'Last seen': 'Última visita',
  Joined: 'Alta',
  'Change role or wallet': 'Cambiar el rol o el monedero',
  'Remove from the project': 'Quitar del proyecto',
  'Nobody yet': 'Todavía nadie',
  'Revoke the invitation of {email}?': '¿Revocar la invitación de {email}?',
  'Its link does nothing from then on.': 'Desde entonces su enlace no hace nada.',
  'The invitation is revoked': 'La invitación se ha revocado',
  'Open invitations': 'Invitaciones abiertas',
  'the invitation of {email}': 'la invitación de {email}',
  'No invitation is open': 'No hay invitaciones abiertas',
  // pages/reports/redemptions-report.ts
  Redemptions: 'Canjes',
  'Scans of cards by the day on which they were made. An undone scan counts with its scan.':
    'Escaneos de tarjetas según el día en que se hicieron. Un escaneo deshecho cuenta con su escaneo.',
  Undone: 'Deshecho',
  Redeemed: 'Canjeadas',
  'Why refused': 'Motivo del rechazo',
  'No cards were scanned in this period': 'En este período no se escaneó ninguna tarjeta',
  'Choose other days, or see what was sold.': 'Elija otros días o vea lo que se vendió.',
  'Show sales': 'Mostrar las ventas',
  // pages/reports/report-definition.ts
  Month: 'Mes',
  Campaign: 'Campaña',
  Person: 'Persona',
  'No store': 'Sin tienda',
  'Other cards': 'Otras tarjetas',
  // pages/reports/report-periods.ts
  'This month': 'Este mes',
  'Last month': 'El mes pasado',
  'This year': 'Este año',
  'Other days': 'Otros días',
  // pages/reports/report-section.tsx
  'Download CSV': 'Descargar CSV',
  '{title} by {by}': '{title} por {by}',
  '{days}, compared with {before}. Time zone: {timeZone}.':
    '{days}, en comparación con {before}. Zona horaria: {timeZone}.',
  Report: 'Informe',
  // pages/reports/reports-page.tsx
  By: 'Por',
  'First day': 'Primer día',
  'Last day': 'Último día',
  // pages/reports/sales-report.ts
  'Paid orders by the day on which they were placed. A refund counts with its order.':
    'Pedidos pagados según el día en que se realizaron. Un reembolso cuenta con su pedido.',
  'Token address': 'Dirección del token',
  'Items sold': 'Artículos vendidos',
  Refunded: 'Reembolsado',
  Kept: 'Neto',
  'Nothing was sold in this period': 'En este período no se vendió nada',
  'Choose other days, or see what was redeemed.': 'Elija otros días o vea lo que se canjeó.',
  'Show redemptions': 'Mostrar los canjes',
  // pages/scanner/code-form.tsx
  'Enter the code of a card': 'Introducir el código de una tarjeta',
  'Code of the card': 'Código de la tarjeta',
  'Type or paste it, or use a scanner that types. It is printed below the QR code.':
    'Escríbalo, péguelo o use un lector que escriba. Está impreso debajo del código QR.',
  'Check the code': 'Comprobar el código',
  'The picture has no readable QR code. Take it closer and without reflections.':
    'La imagen no tiene un código QR legible. Tómela de más cerca y sin reflejos.',
  'The file is no picture that this browser can read. Choose a JPEG or PNG file.':
    'El archivo no es una imagen que este navegador pueda leer. Elija un archivo JPEG o PNG.',
  'Reading the picture': 'Leyendo la imagen',
  'Choose a picture': 'Elegir una imagen',
  'Picture with a QR code': 'Imagen con un código QR',
  // pages/scanner/describe-scan.ts
  'Unknown card': 'Tarjeta desconocida',
  'Checking…': 'Comprobando…',
  'Already checked in': 'Entrada ya registrada',
  'Already redeemed': 'Ya canjeada',
  'No answer from the server. This scan is stored, and the server checks it later.':
    'El servidor no responde. Este escaneo está guardado y el servidor lo comprobará más tarde.',
  'The server refused it on this device at {time}, because it was used before.':
    'El servidor lo rechazó en este dispositivo a las {time}, porque se había usado antes.',
  'Checked in with this device at {time}.': 'Entrada registrada con este dispositivo a las {time}.',
  'Redeemed with this device at {time}.': 'Canjeada con este dispositivo a las {time}.',
  'Used before: {uses}': 'Usada antes: {uses}',
  'Level: {level}': 'Nivel: {level}',
  'That was its only use': 'Ese era su único uso',
  'That was the last of {total} uses': 'Ese era el último de {total} usos',
  '{left} of {total} uses left': 'Quedan {left} de {total} usos',
  // pages/scanner/result-screen.tsx
  '{count, plural, one {Another scan of this card waits too.} other {# other scans of this card wait too.}}':
    '{count, plural, one {Otro escaneo de esta tarjeta también espera.} other {# escaneos más de esta tarjeta también esperan.}}',
  'Next scan': 'Siguiente escaneo',
  // pages/scanner/scan-history.tsx
  'Scans of this device appear here.': 'Los escaneos de este dispositivo aparecen aquí.',
  'Undo the scan of {name}': 'Deshacer el escaneo de {name}',
  // pages/scanner/scanner-page.tsx
  'Your role does not redeem cards': 'Su rol no canjea tarjetas',
  'Your role is {role}. Staff, managers and owners scan cards; you can see each card and its history.':
    'Su rol es {role}. El personal, los encargados y los propietarios escanean tarjetas; usted puede ver cada tarjeta y su historial.',
  'Store: {store}': 'Tienda: {store}',
  'Turn the sound on': 'Activar el sonido',
  'Turn the sound off': 'Desactivar el sonido',
  'The scan was not stored, so nothing was redeemed. Scan the card again.':
    'El escaneo no se guardó, así que no se canjeó nada. Escanee la tarjeta otra vez.',
  '{waiting, plural, one {# scan waits} other {# scans wait}} for an answer':
    '{waiting, plural, one {# escaneo espera} other {# escaneos esperan}} respuesta',
  'They are sent again until the server answers. Each one counts once.':
    'Se envían otra vez hasta que el servidor responda. Cada uno cuenta una sola vez.',
  'There is no connection. They are sent as soon as it is back, also after you close this page and open it again.':
    'No hay conexión. Se envían en cuanto vuelva, también si cierra esta página y la abre otra vez.',
  'Send now': 'Enviar ahora',
  // pages/scanner/scanner-settings-dialog.tsx
  'Settings of this scanner': 'Ajustes de este escáner',
  'A scan of a membership card': 'El escaneo de una tarjeta de socio',
  'Checks in': 'Registra la visita',
  'The member visits the store.': 'El socio visita la tienda.',
  'Redeems a benefit': 'Canjea una ventaja',
  'The member uses a benefit, such as a free coffee.':
    'El socio usa una ventaja, por ejemplo un café gratis.',
  'Sound after each scan': 'Sonido después de cada escaneo',
  'Cards that name stores are accepted only there. Write its name or code. Empty for no store.':
    'Las tarjetas que nombran tiendas solo se aceptan en ellas. Escriba su nombre o código. Vacío: ninguna tienda.',
  'Cards that name stores are accepted only there.':
    'Las tarjetas que nombran tiendas solo se aceptan en ellas.',
  // pages/scanner/use-camera.ts
  'No camera': 'Sin cámara',
  'The camera was disconnected': 'La cámara se desconectó',
  // pages/scanner/viewfinder.tsx
  'Picture of the camera': 'Imagen de la cámara',
  'Hold the QR code of the card into the frame.': 'Ponga el código QR de la tarjeta dentro del marco.',
  'Stop the camera': 'Detener la cámara',
  'Starting the camera': 'Iniciando la cámara',
  'Start the camera': 'Iniciar la cámara',
  'The camera reads QR codes of cards. The pictures stay on this device.':
    'La cámara lee los códigos QR de las tarjetas. Las imágenes se quedan en este dispositivo.',
  'Try again': 'Volver a intentarlo',
  // pages/search/search-page.tsx
  'No name': 'Sin nombre',
  Kind: 'Tipo',
  'Found by': 'Encontrado por',
  'Enter what a customer tells you: an order number, a transaction hash, a wallet, a name, a card code or your reference. Pages are found by their titles.':
    'Introduzca lo que le diga un cliente: un número de pedido, el hash de una transacción, un monedero, un nombre, el código de una tarjeta o su referencia. Las páginas se encuentran por su título.',
  'Pages of the console': 'Páginas de la consola',
  'No order, card or wallet found': 'No se encontró ningún pedido, tarjeta ni monedero',
  'Check the spelling. Codes and references must be complete.':
    'Compruebe la ortografía. Los códigos y las referencias deben estar completos.',
  // pages/sign-in/password-step.tsx
  or: 'o',
  'Sign in with a passkey': 'Iniciar sesión con una clave de acceso',
  'Forgot your password?': '¿Olvidó la contraseña?',
  'No access? Ask an owner of the project for a new invitation.':
    '¿No tiene acceso? Pida una invitación nueva a un propietario del proyecto.',
  // pages/sign-in/second-factor-step.tsx
  'Backup code': 'Código de respaldo',
  'Each of your backup codes works once.': 'Cada código de respaldo funciona una vez.',
  'Enter the six digits that your authenticator app shows.':
    'Introduzca los seis dígitos que muestra su aplicación de autenticación.',
  'Trust this device for 30 days': 'Confiar en este dispositivo durante 30 días',
  'Use the authenticator app': 'Usar la aplicación de autenticación',
  'Use a backup code': 'Usar un código de respaldo',
  'Use another account': 'Usar otra cuenta',
  // pages/stores/stores-page.tsx
  Closed: 'Cerrado',
  'What staff choose at the scanner. Cards of the store follow it to another name.':
    'Lo que el personal elige en el escáner. Las tarjetas de la tienda la siguen si cambia de nombre.',
  'A short code that can be used instead, such as BER1.':
    'Un código corto que se puede usar en su lugar, por ejemplo BER1.',
  'For your own information.': 'Para su propia información.',
  'Time zone': 'Zona horaria',
  'Where its days begin, such as Europe/Berlin.': 'Donde empiezan sus días, por ejemplo Europe/Berlin.',
  'Add store': 'Añadir tienda',
  'Closed: new cards cannot name it. Issued cards keep it.':
    'Cerrada: las tarjetas nuevas no pueden nombrarla. Las emitidas la conservan.',
  'Where customers show their cards. Cards and scanners choose from these stores.':
    'Donde los clientes muestran sus tarjetas. Las tarjetas y los escáneres eligen entre estas tiendas.',
  'No stores yet': 'Todavía no hay tiendas',
  'You need this page only with several stores. Once you add one, cards and scanners can use only the stores that are listed here.':
    'Solo necesita esta página si tiene varias tiendas. Cuando añade una, las tarjetas y los escáneres solo pueden usar las tiendas de esta lista.',
  'Stores appear here when a manager adds them.': 'Las tiendas aparecen aquí cuando un encargado las añade.',
  // pages/wallets/address-book-section.tsx
  'At most 200 characters.': 'Como máximo 200 caracteres.',
  Note: 'Nota',
  'Add address': 'Añadir dirección',
  '{name} is in the address book': '{name} está en la libreta de direcciones',
  'Remove {name} from the address book?': '¿Quitar {name} de la libreta de direcciones?',
  'The name and the note are lost. You can add the address again.':
    'El nombre y la nota se pierden. Puede volver a añadir la dirección.',
  'Address book': 'Libreta de direcciones',
  'Search by name, note or address': 'Buscar por nombre, nota o dirección',
  'The address book is empty': 'La libreta de direcciones está vacía',
  'Add an address, or import the wallets that this wallet follows.':
    'Añada una dirección o importe los monederos que sigue este monedero.',
  'The addresses that this wallet names appear here.':
    'Las direcciones a las que este monedero da nombre aparecen aquí.',
  'All followed wallets are in the address book already':
    'Todos los monederos seguidos ya están en la libreta de direcciones',
  '{count, plural, one {# address is imported} other {# addresses are imported}}':
    '{count, plural, one {# dirección importada} other {# direcciones importadas}}',
  'Import followed wallets': 'Importar los monederos seguidos',
  '{done}. There may be more: import again.': '{done}. Puede haber más: impórtelas otra vez.',
  // pages/wallets/fan-sections.tsx
  Followers: 'Seguidores',
  'No followers yet': 'Todavía no hay seguidores',
  'Wallets that follow this wallet appear here.': 'Los monederos que siguen a este monedero aparecen aquí.',
  Following: 'Siguiendo',
  'This wallet follows nobody': 'Este monedero no sigue a nadie',
  'Wallets that it follows appear here.': 'Los monederos que sigue aparecen aquí.',
  // pages/wallets/messages-section.tsx
  Recipient: 'Destinatario',
  'The address of the wallet that gets the message.': 'La dirección del monedero que recibe el mensaje.',
  Message: 'Mensaje',
  '1 to 4,000 characters. It is sent in the name of this wallet.':
    'De 1 a 4.000 caracteres. Se envía en nombre de este monedero.',
  'New message': 'Mensaje nuevo',
  'Newest message': 'Mensaje más reciente',
  Unread: 'Sin leer',
  'The newest 250 conversations are shown.': 'Se muestran las 250 conversaciones más recientes.',
  'No messages yet': 'Todavía no hay mensajes',
  'Conversations of this wallet appear here.': 'Las conversaciones de este monedero aparecen aquí.',
  'Messages with {other}': 'Mensajes con {other}',
  'All conversations': 'Todas las conversaciones',
  Reply: 'Responder',
  'It is sent in the name of this wallet.': 'Se envía en nombre de este monedero.',
  'Older messages': 'Mensajes más antiguos',
  'Newer messages': 'Mensajes más recientes',
  'No messages with this wallet': 'No hay mensajes con este monedero',
  'Write the first one below.': 'Escriba el primero abajo.',
  'Messages between both wallets appear here.': 'Los mensajes entre ambos monederos aparecen aquí.',
  'The messages are marked as read': 'Los mensajes se han marcado como leídos',
  'Mark as read': 'Marcar como leído',
  'This wallet': 'Este monedero',
  'Reply to message {replyTo}': 'Responder al mensaje {replyTo}',
  // pages/wallets/profile-section.tsx
  Photo: 'Foto',
  'Add profile': 'Añadir perfil',
  'The profile is saved': 'El perfil se ha guardado',
  'This wallet has no profile': 'Este monedero no tiene perfil',
  'Add one to show a name instead of the address.':
    'Añada uno para mostrar un nombre en lugar de la dirección.',
  'The console shows its address instead of a name.':
    'La consola muestra su dirección en lugar de un nombre.',
  'Edit profile': 'Editar perfil',
  Profile: 'Perfil',
  'Photo of {name}': 'Foto de {name}',
  // pages/wallets/wallet-page.tsx
  'Wallet {name}': 'Monedero {name}',
  'Tokens of this wallet': 'Tokens de este monedero',
  'Parts of the wallet': 'Partes del monedero',
  Messages: 'Mensajes',
  // pages/wallets/wallets-page.tsx
  'Your wallet': 'Su monedero',
  'Profiles of wallets, their address books, followers and messages. Here are the profiles that changed within the time for which the gateway keeps events.':
    'Perfiles de monederos, sus libretas de direcciones, seguidores y mensajes. Aquí están los perfiles que cambiaron durante el tiempo en que el gateway guarda los eventos.',
  'Open a wallet by its address': 'Abrir un monedero por su dirección',
  About: 'Acerca de',
  'No profiles yet': 'Todavía no hay perfiles',
  'Enter the address of a wallet above. Its profile can be added on its page.':
    'Introduzca arriba la dirección de un monedero. Su perfil se puede añadir en su página.',
  'Enter the address of a wallet above to see its page.':
    'Introduzca arriba la dirección de un monedero para ver su página.',
  'The gateway has more events about wallets than were read. Open others by their address.':
    'El gateway tiene más eventos de monederos de los que se leyeron. Abra otros por su dirección.',
  // pages/webhooks/deliveries-section.tsx
  Deliveries: 'Entregas',
  Event: 'Evento',
  'Event||webhook': 'Evento',
  Attempts: 'Intentos',
  'Last response': 'Última respuesta',
  'Next attempt': 'Próximo intento',
  'No deliveries yet': 'Todavía no hay entregas',
  'Deliveries appear when an event happens. Send a test message to try the receiver now.':
    'Las entregas aparecen cuando ocurre un evento. Envíe un mensaje de prueba para probar el receptor ahora.',
  'Deliveries appear when an event happens.': 'Las entregas aparecen cuando ocurre un evento.',
  // pages/webhooks/delivery-dialog.tsx
  'The delivery is sent again': 'La entrega se envía otra vez',
  'Delivery of {eventType}': 'Entrega de {eventType}',
  'Send again': 'Enviar otra vez',
  'A test message, which is not in the feed': 'Un mensaje de prueba, que no está en la lista de eventos',
  'Number {sequence}': 'Número {sequence}',
  'No attempt yet. This page shows it as soon as it is made.':
    'Todavía no hay intentos. Esta página lo muestra en cuanto se haga.',
  '{attempt} after {durationMs} ms': '{attempt} después de {durationMs} ms',
  // pages/webhooks/event-picker.tsx
  'All events': 'Todos los eventos',
  'Also those of types that a later version adds.': 'También los de tipos que añada una versión posterior.',
  'Only some types': 'Solo algunos tipos',
  '{chosen} of {count}': '{chosen} de {count}',
  'All of {pattern}, also later ones': 'Todos los de {pattern}, también los futuros',
  // pages/webhooks/range-dialog.tsx
  'The time zone of this device.': 'La zona horaria de este dispositivo.',
  'Also send events that were delivered': 'Enviar también los eventos ya entregados',
  'Receivers recognize them by their id, which stays the same.':
    'Los receptores los reconocen por su id, que no cambia.',
  'For a receiver that was down or lost data. Events that the webhook subscribes to and has not received are sent, also those from before it existed.':
    'Para un receptor que no funcionaba o que perdió datos. Se envían los eventos a los que el webhook está suscrito y que no ha recibido, también los anteriores a su creación.',
  'Nothing to send': 'No hay nada que enviar',
  'No stored event of the chosen types happened in this time.':
    'En este tiempo no ocurrió ningún evento guardado de los tipos elegidos.',
  'Up to {quantity} happened in this time; only the subscribed types are sent':
    'En este tiempo ocurrieron hasta {quantity}; solo se envían los tipos suscritos',
  '{quantity} of the subscribed types happened in this time':
    'En este tiempo ocurrieron {quantity} de los tipos suscritos',
  'All of them are sent, also those that were delivered.': 'Se envían todos, también los ya entregados.',
  'Those that were delivered, or are being delivered, are not sent again.':
    'Los ya entregados, o que se están entregando, no se envían otra vez.',
  'Messages are sent in the order of the feed, within the rate limit of the webhook.':
    'Los mensajes se envían en el orden de los eventos, dentro del límite de frecuencia del webhook.',
  '{count, plural, one {# delivery started. It appears in the list.} other {# deliveries started. They appear in the list.}}':
    '{count, plural, one {Se ha iniciado # entrega. Aparece en la lista.} other {Se han iniciado # entregas. Aparecen en la lista.}}',
  Close: 'Cerrar',
  // pages/webhooks/webhook-form.tsx
  'An https address that receives the events. Or mailto: and the address of a person of this project, who gets mails.':
    'Una dirección https que recibe los eventos. O mailto: y la dirección de una persona de este proyecto, que recibe correos.',
  'What receives the events, for your colleagues.': 'Qué recibe los eventos, para sus compañeros.',
  'Messages per second': 'Mensajes por segundo',
  'The most messages per second, up to 1,000. 0 for no limit.':
    'El máximo de mensajes por segundo, hasta 1.000. 0: sin límite.',
  'Choose at least one type, or all events': 'Elija al menos un tipo o todos los eventos',
  'Create a webhook': 'Crear un webhook',
  'Change the webhook': 'Cambiar el webhook',
  'The webhook is changed and enabled': 'El webhook se ha cambiado y activado',
  'The webhook is changed': 'El webhook se ha cambiado',
  'It is disabled now. Once it is saved, new events are sent to it. Cancel to keep it disabled and unchanged.':
    'Ahora está desactivado. Cuando lo guarde, recibirá los eventos nuevos. Cancele para dejarlo desactivado y sin cambios.',
  'Create webhook': 'Crear webhook',
  // pages/webhooks/webhook-page.tsx
  'Hours of overlap': 'Horas de solapamiento',
  'For so long messages are signed with both secrets, so that you can replace the secret of your receiver without losing any: 0 to 168.':
    'Durante este tiempo los mensajes se firman con los dos secretos, para que pueda sustituir el de su receptor sin perder ninguno: de 0 a 168.',
  'Replace the secret?': '¿Sustituir el secreto?',
  'Remove the webhook for {url}?': '¿Eliminar el webhook de {url}?',
  'Pending deliveries are not sent, and the list of deliveries is gone. This cannot be undone.':
    'Las entregas pendientes no se envían y la lista de entregas desaparece. No se puede deshacer.',
  'The webhook is removed': 'El webhook se ha eliminado',
  'Send a range again': 'Enviar un intervalo otra vez',
  'Send a test': 'Enviar una prueba',
  'More actions': 'Más acciones',
  'Deliveries have failed since {time}': 'Las entregas fallan desde {time}',
  'The gateway tries each delivery again, up to five days. Look at the attempts below, correct the receiver, and send a test message.':
    'El gateway vuelve a intentar cada entrega, hasta cinco días. Mire los intentos abajo, corrija el receptor y envíe un mensaje de prueba.',
  'The webhook is enabled': 'El webhook se ha activado',
  'The gateway has disabled this webhook': 'El gateway ha desactivado este webhook',
  'All deliveries had failed for five days. Correct the receiver, enable the webhook, then send the missed events again.':
    'Todas las entregas fallaron durante cinco días. Corrija el receptor, active el webhook y envíe otra vez los eventos que faltan.',
  Enable: 'Activar',
  Rate: 'Frecuencia',
  'The previous secret signs until': 'El secreto anterior firma hasta',
  // pages/webhooks/webhook-secret.ts
  'The signing secret': 'El secreto de firma',
  'It is shown only once. Your receiver verifies with it that messages come from this gateway.':
    'Solo se muestra una vez. Con él, su receptor comprueba que los mensajes vienen de este gateway.',
  'Messages are signed with the previous secret too until {previousSecretExpireTime}.':
    'Hasta {previousSecretExpireTime}, los mensajes también se firman con el secreto anterior.',
  // pages/webhooks/webhook-status.tsx
  Working: 'Funciona',
  Failing: 'Falla',
  Disabled: 'Desactivado',
  '{first} and {length} more': '{first} y {length} más',
  '{maxPerSecond} per second': '{maxPerSecond} por segundo',
  Pending: 'Pendiente',
  Delivered: 'Entregado',
  'No response': 'Sin respuesta',
  'HTTP {responseStatus}': 'HTTP {responseStatus}',
  // pages/webhooks/webhooks-page.tsx
  'Where the gateway sends events as they happen: to your programs, or as mails to people of this project.':
    'A dónde envía el gateway los eventos en cuanto ocurren: a sus programas, o por correo a personas de este proyecto.',
  'No webhooks yet': 'Todavía no hay webhooks',
  'Create one for the program that should react to events, such as your shop.':
    'Cree uno para el programa que debe reaccionar a los eventos, por ejemplo su tienda.',
  'The programs that receive the events of the project appear here.':
    'Los programas que reciben los eventos del proyecto aparecen aquí.',
  // texts/account.ts
  'Turn on': 'Activar',
  'Turn off': 'Desactivar',
  'New backup codes': 'Códigos de respaldo nuevos',
  'Confirm with your password': 'Confirme con su contraseña',
  Passkeys: 'Claves de acceso',
  'Add a passkey': 'Añadir una clave de acceso',
  'Where you are signed in': 'Dónde tiene sesiones abiertas',
  // texts/audit.ts
  Deleted: 'Borrado',
  'Address book entry': 'Entrada de la libreta de direcciones',
  'API key': 'Clave de API',
  Auction: 'Subasta',
  'Settings of cards': 'Ajustes de las tarjetas',
  'Card verification': 'Verificación de tarjeta',
  Card: 'Tarjeta',
  Fan: 'Seguidor',
  Follow: 'Seguimiento',
  Listing: 'Publicación',
  'Role of a person': 'Rol de una persona',
  'Mint collection': 'Colección de acuñación',
  'Mint phase': 'Fase de acuñación',
  'Mint reservation': 'Reserva de acuñación',
  'Whitelist entry': 'Entrada de la lista blanca',
  'Mintable NFT': 'NFT por acuñar',
  'Minter key': 'Clave del firmante de acuñaciones',
  NFT: 'NFT',
  Offer: 'Oferta',
  Project: 'Proyecto',
  'Publishable key': 'Clave publicable',
  'Change of token data': 'Cambio de los datos de un token',
  Transfer: 'Transferencia',
  'Wallet profile': 'Perfil de monedero',
  Webhook: 'Webhook',
  'Invitation of an operator': 'Invitación de un operador',
  'Password or identity provider': 'Contraseña o proveedor de identidad',
  'Authenticator app': 'Aplicación de autenticación',
  'Ended session of the database': 'Sesión de la base de datos terminada',
  '{count, plural, one {# entry} other {# entries}}': '{count, plural, one {# entrada} other {# entradas}}',
  '{problem}. Intact before it: {entries}. Tell the operator of the server at once, who keeps a copy of the database before anything else and compares it with backups. Nothing repairs a log.':
    '{problem}. Intactas antes de ella: {entries}. Avise de inmediato al operador del servidor, que antes de nada guarda una copia de la base de datos y la compara con las copias de seguridad. Nada repara un registro.',
  '{problem}. Intact before it: {entries}. Keep a copy of the database before anything else, and compare it with backups. Nothing repairs a log.':
    '{problem}. Intactas antes de ella: {entries}. Antes de nada guarde una copia de la base de datos y compárela con las copias de seguridad. Nada repara un registro.',
  // texts/campaigns.ts
  Used: 'Usado',
  'Used||card': 'Agotada',
  'Refused scans': 'Escaneos rechazados',
  'Stores and days': 'Tiendas y días',
  // texts/card-import.ts
  '{count, plural, one {# row} other {# rows}}': '{count, plural, one {# fila} other {# filas}}',
  'The file is empty': 'El archivo está vacío',
  'Its first row must name the columns, and a row for each card follows.':
    'Su primera fila debe nombrar las columnas, y le sigue una fila por tarjeta.',
  'The file is too large': 'El archivo es demasiado grande',
  'Divide it into files of at most 20 MB and 50,000 rows, or use the command line.':
    'Divídalo en archivos de 20 MB y 50.000 filas como máximo, o use la línea de comandos.',
  'Line {line}: a quoted cell does not end': 'Línea {line}: una celda entre comillas no termina',
  'Add the missing quote, or save the file from the spreadsheet again.':
    'Añada las comillas que faltan o vuelva a guardar el archivo desde la hoja de cálculo.',
  'Line {line}: something follows a closing quote':
    'Línea {line}: hay algo después de unas comillas de cierre',
  'Double the quotes inside of a cell, or save the file from the spreadsheet again.':
    'Duplique las comillas dentro de la celda o vuelva a guardar el archivo desde la hoja de cálculo.',
  'Line {line}: a cell without quotes has a quote': 'Línea {line}: una celda sin comillas contiene comillas',
  'Put the cell into quotes and double the quote inside, or save the file from the spreadsheet again.':
    'Ponga la celda entre comillas y duplique las de dentro, o vuelva a guardar el archivo desde la hoja de cálculo.',
  'The file cannot be read': 'No se puede leer el archivo',
  'Choose it again. It may have been changed or moved.': 'Elíjalo otra vez. Quizá se haya cambiado o movido.',
  '{count, plural, one {# row} other {# rows}} can be imported':
    '{count, plural, one {Se puede importar # fila} other {Se pueden importar # filas}}',
  '{count, plural, one {# row has a problem} other {# rows have problems}}':
    '{count, plural, one {# fila tiene un problema} other {# filas tienen problemas}}',
  'Import {count, plural, one {# card} other {# cards}}':
    'Importar {count, plural, one {# tarjeta} other {# tarjetas}}',
  '{count, plural, one {# row was} other {# rows were}} imported before':
    '{count, plural, one {# fila ya se importó} other {# filas ya se importaron}} antes',
  'Progress of the import': 'Progreso de la importación',
  '{count, plural, one {# card is} other {# cards are}} created':
    '{count, plural, one {Se ha creado # tarjeta} other {Se han creado # tarjetas}}',
  '{count, plural, one {# row was} other {# rows were}} not imported':
    '{count, plural, one {# fila no se importó} other {# filas no se importaron}}',
  '{count, plural, one {# row was left out: an equal row was imported from another file} other {# rows were left out: equal rows were imported from other files}}':
    '{count, plural, one {# fila quedó fuera: se importó una fila igual desde otro archivo} other {# filas quedaron fuera: se importaron filas iguales desde otros archivos}}',
  'Of {count, plural, one {# row it is not known whether it was} other {# rows it is not known whether they were}} imported':
    '{count, plural, one {De # fila no se sabe si se importó} other {De # filas no se sabe si se importaron}}',
  // texts/cards.ts
  'Promo code cards': 'Tarjetas promocionales',
  'Promo code': 'Promocional',
  'Promo code card': 'Tarjeta promocional',
  'Customers redeem them at the counter, such as a free coffee. A card can have several uses.':
    'Los clientes las canjean en el mostrador, por ejemplo por un café gratis. Una tarjeta puede tener varios usos.',
  'Create promo code card': 'Crear tarjeta promocional',
  Uses: 'Usos',
  '{count, plural, one {# use} other {# uses}}': '{count, plural, one {# uso} other {# usos}}',
  'Event cards': 'Tarjetas de evento',
  'Event card': 'Tarjeta de evento',
  'Guests check in with them, once each.':
    'Con ellas se registra la entrada de los invitados, una vez cada uno.',
  'Create event card': 'Crear tarjeta de evento',
  Entrance: 'Entrada',
  '{count} issued': '{count} emitidas',
  'Membership cards': 'Tarjetas de socio',
  Membership: 'Socio',
  'Membership card': 'Tarjeta de socio',
  'Members show them at each visit. They count once a day in each store.':
    'Los socios las muestran en cada visita. Cuentan una vez al día en cada tienda.',
  'Create membership card': 'Crear tarjeta de socio',
  'Commemorative cards': 'Tarjetas conmemorativas',
  Commemorative: 'Conmemorativa',
  'Commemorative card': 'Tarjeta conmemorativa',
  'They remember an occasion. Nothing is redeemed with them.':
    'Recuerdan una ocasión. Con ellas no se canjea nada.',
  'Create commemorative card': 'Crear tarjeta conmemorativa',
  'Not valid yet': 'Aún no es válida',
  'Card {id}': 'Tarjeta {id}',
  'QR code': 'Código QR',
  'What customers read on the card, at most 200 characters.':
    'Lo que los clientes leen en la tarjeta, 200 caracteres como máximo.',
  'The NFT contract that the card belongs to. Without one, it belongs to the cards of the project.':
    'El contrato NFT al que pertenece la tarjeta. Sin él, pertenece a las tarjetas del proyecto.',
  'Contract address': 'Dirección del contrato',
  'The address of the NFT contract that the card belongs to. Without one, it belongs to the cards of the project.':
    'La dirección del contrato NFT al que pertenece la tarjeta. Sin ella, pertenece a las tarjetas del proyecto.',
  'The id of one token of the contract. Empty for any of them.':
    'El id de un token del contrato. Vacío: cualquiera de ellos.',
  'How often the card can be redeemed, at least once.':
    'Cuántas veces se puede canjear la tarjeta, una como mínimo.',
  'How many are issued, at least 1.': 'Cuántas se emiten, una como mínimo.',
  'In the time zone of this device.': 'En la zona horaria de este dispositivo.',
  'After that, the card is refused.': 'Después, la tarjeta se rechaza.',
  'Extended until': 'Ampliada hasta',
  'Accepts the card for longer than printed on it. Without a change, it is valid as long as the card.':
    'Acepta la tarjeta durante más tiempo del impreso en ella. Sin cambios, vale lo mismo que la tarjeta.',
  Benefits: 'Ventajas',
  'What members get, one in each line.': 'Lo que reciben los socios, una por línea.',
  Instructions: 'Instrucciones',
  'What the owner of the card has to do to use it.':
    'Lo que debe hacer el titular de la tarjeta para usarla.',
  'The stores that accept the card, one in each line. Empty for all stores.':
    'Las tiendas que aceptan la tarjeta, una por línea. Vacío: todas las tiendas.',
  'Where the card is accepted. Choose none for all stores.':
    'Dónde se acepta la tarjeta. Sin elección: todas las tiendas.',
  Logo: 'Logotipo',
  'The address of a picture (https), or a file.': 'La dirección de una imagen (https) o un archivo.',
  Background: 'Fondo',
  'Name of the shop': 'Nombre de la tienda',
  'What customers read at the top of every card.':
    'Lo que los clientes leen en la parte superior de cada tarjeta.',
  'Logo of the shop': 'Logotipo de la tienda',
  Color: 'Color',
  'As # and six digits from 0 to 9 and a to f, such as #7a1f3d.':
    'Como # y seis dígitos de 0 a 9 y de a a f, por ejemplo #7a1f3d.',
  'Enter a color such as #7a1f3d': 'Introduzca un color como #7a1f3d',
  'Minutes to undo a scan': 'Minutos para deshacer un escaneo',
  'How long staff can undo their own scans, at most 10,080 minutes. 0: never.':
    'Durante cuánto tiempo el personal puede deshacer sus escaneos, 10.080 minutos como máximo. 0: nunca.',
  'Undone scans per day': 'Escaneos deshechos por día',
  'How many scans each of the staff can undo in a day, at most 10,000.':
    'Cuántos escaneos puede deshacer cada persona en un día, 10.000 como máximo.',
  'The pages of cards show what is saved. Open the newest card of a kind as customers see it.':
    'Las páginas de las tarjetas muestran lo que se guarda. Abra la tarjeta más reciente de un tipo como la ven los clientes.',
  'Not valid in this store': 'No es válida en esta tienda',
  'Campaign paused': 'Campaña pausada',
  'Campaign ended': 'Campaña terminada',
  Unknown: 'Desconocido',
  'Print {cards}': 'Imprimir {cards}',
  '{labels, plural, one {# QR code} other {# QR codes}} on {sheets, plural, one {# page} other {# pages}}':
    '{labels, plural, one {# código QR} other {# códigos QR}} en {sheets, plural, one {# página} other {# páginas}}',
  'These are the cards from number {first} on': 'Estas son las tarjetas a partir del número {first}',
  '{max} cards are printed at a time.': 'Se imprimen {max} tarjetas a la vez.',
  '{count, plural, one {# card has a QR code of its own and is} other {# cards have QR codes of their own and are}} not printed':
    '{count, plural, one {# tarjeta tiene un código QR propio y no se imprime} other {# tarjetas tienen códigos QR propios y no se imprimen}}',
  '{count, plural, one {# of these cards has} other {# of these cards have}} expired':
    '{count, plural, one {# de estas tarjetas ha caducado} other {# de estas tarjetas han caducado}}',
  // texts/contracts.ts
  'ERC-721: each token exists once': 'ERC-721: cada token existe una vez',
  'ERC-1155: tokens have editions': 'ERC-1155: los tokens tienen ediciones',
  Owners: 'Propietarios',
  'Image of {name}': 'Imagen de {name}',
  // texts/errors.ts
  'Some values are not valid': 'Algunos valores no son válidos',
  'Correct the marked fields and try again.': 'Corrija los campos marcados y vuelva a intentarlo.',
  'This was not done, because your session had ended': 'No se ha hecho porque su sesión había terminado',
  'Try again as soon as you are signed in.': 'Vuelva a intentarlo en cuanto haya iniciado sesión.',
  'You are not allowed to do this': 'No tiene permiso para hacer esto',
  'Ask an owner of the project to do it, or to change your role.':
    'Pida a un propietario del proyecto que lo haga o que cambie su rol.',
  'This does not exist': 'Esto no existe',
  'It may have been removed, or it belongs to another project.':
    'Quizá se eliminó o pertenece a otro proyecto.',
  'This was changed or exists already': 'Esto se cambió o ya existe',
  'Reload the page to see the current state, then try again.':
    'Vuelva a cargar la página para ver la situación actual y vuelva a intentarlo.',
  'The balance does not cover this': 'El saldo no alcanza',
  'Deposit more, or raise the quota of the payer.': 'Deposite más o aumente la cuota del pagador.',
  'Too many requests': 'Demasiadas solicitudes',
  'Wait a moment, then try again.': 'Espere un momento y vuelva a intentarlo.',
  'The server refused this': 'El servidor lo rechazó',
  'Check the current state and try again.': 'Compruebe la situación actual y vuelva a intentarlo.',
  'The server failed': 'El servidor falló',
  'Try again. If it fails again, send the request id to an operator.':
    'Vuelva a intentarlo. Si falla otra vez, envíe el id de la solicitud a un operador.',
  'The server did not respond in time': 'El servidor no respondió a tiempo',
  'Check your connection and try again.': 'Compruebe su conexión y vuelva a intentarlo.',
  'The server cannot be reached': 'No se puede llegar al servidor',
  'It is not known whether this was done': 'No se sabe si se ha hecho',
  'Check the current state before you repeat it. Trying again here does not do it twice.':
    'Compruebe la situación actual antes de repetirlo. Si lo intenta otra vez aquí, no se hace dos veces.',
  'The response of the server is not what the console expects':
    'La respuesta del servidor no es la que espera la consola',
  'Reload the page: the server may have been updated.':
    'Vuelva a cargar la página: quizá el servidor se actualizó.',
  'The facilitator cannot be reached': 'No se puede llegar al facilitador',
  'Nothing was changed. Check that it runs, and the setting FACILITATOR_URL of this server.':
    'No se cambió nada. Compruebe que funciona y el ajuste FACILITATOR_URL de este servidor.',
  'The facilitator did not respond in time': 'El facilitador no respondió a tiempo',
  'A change may have been made: look at the current state first. Trying again here does not do it twice.':
    'Quizá se hizo un cambio: mire primero la situación actual. Si lo intenta otra vez aquí, no se hace dos veces.',
  'The facilitator refuses this server': 'El facilitador rechaza a este servidor',
  'Set FACILITATOR_OPERATOR_TOKEN of this server to the OPERATOR_TOKEN of the facilitator.':
    'Ponga en FACILITATOR_OPERATOR_TOKEN de este servidor el OPERATOR_TOKEN del facilitador.',
  'FACILITATOR_URL leads to no operator interface': 'FACILITATOR_URL no lleva a una interfaz de operador',
  'Set OPERATOR_TOKEN of the facilitator, and check its version and the setting FACILITATOR_URL of this server.':
    'Defina OPERATOR_TOKEN en el facilitador y compruebe su versión y el ajuste FACILITATOR_URL de este servidor.',
  'This wallet has an account already': 'Este monedero ya tiene una cuenta',
  'Search the accounts for the wallet.': 'Busque el monedero en las cuentas.',
  'The balance would be too large': 'El saldo sería demasiado grande',
  'Credit a smaller amount.': 'Abone un importe menor.',
  'This decision is not possible': 'Esta decisión no es posible',
  'Something has changed since you opened the page. Reload it, and decide again.':
    'Algo ha cambiado desde que abrió la página. Vuelva a cargarla y decida otra vez.',
  'The chain can be read, so it decides': 'La cadena se puede leer, así que decide ella',
  'Wait until the facilitator has read the outcome. Decide yourself only if that can never happen.':
    'Espere a que el facilitador lea el resultado. Decida usted solo si eso no puede ocurrir nunca.',
  'The outcome of this settlement is not unknown any more':
    'El resultado de esta liquidación ya no es desconocido',
  'The facilitator or another operator was faster. Reload the page to see it.':
    'El facilitador u otro operador se adelantó. Vuelva a cargar la página para verlo.',
  'The chain cannot be read at present': 'La cadena no se puede leer ahora',
  'Nothing was stored. Try again in a minute.': 'No se guardó nada. Vuelva a intentarlo en un minuto.',
  'These events were deleted because of their age': 'Estos eventos se borraron por su antigüedad',
  'Start from the oldest stored event.': 'Empiece por el evento guardado más antiguo.',
  'This project has an owner already': 'Este proyecto ya tiene un propietario',
  'An owner invites everybody else on the page People.':
    'Un propietario invita a todos los demás en la página Personas.',
  'This report has more than 1,000 rows': 'Este informe tiene más de 1.000 filas',
  'Choose a shorter period, or months instead of days.':
    'Elija un período más corto, o meses en lugar de días.',
  'This person is the last operator of the server': 'Esta persona es el último operador del servidor',
  'Add another operator first.': 'Añada primero otro operador.',
  'This person is the last owner of the project': 'Esta persona es el último propietario del proyecto',
  'Make another person an owner first.': 'Nombre primero propietario a otra persona.',
  'This person is in the project already': 'Esta persona ya está en el proyecto',
  'Change the role of the person in the list.': 'Cambie el rol de la persona en la lista.',
  'You cannot give a key more rights than you have':
    'No puede dar a una clave más permisos de los que tiene usted',
  'Remove some scopes, or ask an owner to create the key.':
    'Quite algunos permisos o pida a un propietario que cree la clave.',
  'The project has reached its limit of people and open invitations':
    'El proyecto ha alcanzado su límite de personas e invitaciones abiertas',
  'Remove people, or revoke invitations that nobody accepts.':
    'Quite personas o revoque invitaciones que nadie acepta.',
  'The project has reached its limit of active keys': 'El proyecto ha alcanzado su límite de claves activas',
  'Revoke keys that are no longer used.': 'Revoque claves que ya no se usan.',
  'The project has reached its limit of webhooks': 'El proyecto ha alcanzado su límite de webhooks',
  'Remove a webhook that is no longer used.': 'Elimine un webhook que ya no se usa.',
  'The project stores as many pictures as it may': 'El proyecto guarda todas las imágenes que puede',
  'Remove pictures from records that need none. A day later there is room again.':
    'Quite imágenes de registros que no las necesitan. Un día después vuelve a haber espacio.',
  'The card was used more often than this total allows':
    'La tarjeta se usó más veces de las que permite este total',
  'Enter a total that is at least the number of uses.':
    'Introduzca un total que sea al menos el número de usos.',
  'This device has already used this scan for another card':
    'Este dispositivo ya usó este escaneo para otra tarjeta',
  'Scan the card again.': 'Escanee la tarjeta otra vez.',
  'The seller does not own enough tokens': 'El vendedor no tiene suficientes tokens',
  'Lower the quantity, or close other listings of the token.':
    'Baje la cantidad o cierre otras publicaciones del token.',
  'The listing is no longer open': 'La publicación ya no está abierta',
  'It is sold or was closed. Create a new listing.': 'Se vendió o se cerró. Cree una publicación nueva.',
  'Another coupon of the project has this code': 'Otro cupón del proyecto tiene este código',
  'Choose another code.': 'Elija otro código.',
  'The auction is not open': 'La subasta no está abierta',
  'It has not started, has ended, or was cancelled.': 'No ha empezado, ha terminado o se canceló.',
  'The auction has bids': 'La subasta tiene pujas',
  'An auction with bids cannot be cancelled. Wait for its end.':
    'Una subasta con pujas no se puede cancelar. Espere a que termine.',
  'The offer is no longer open': 'La oferta ya no está abierta',
  'It was accepted, rejected or cancelled, or has expired.':
    'Se aceptó, se rechazó, se canceló o ha caducado.',
  'The offer is for other owners too': 'La oferta también es para otros propietarios',
  'They can still accept it, so it stays open.': 'Aún pueden aceptarla, así que sigue abierta.',
  'The offer does not belong to this wallet': 'La oferta no pertenece a este monedero',
  'Use the wallet that made the offer, or that owns the token.':
    'Use el monedero que hizo la oferta o que tiene el token.',
  'This payment cannot be given back here': 'Este pago no se puede devolver aquí',
  'The order is still being checked, it was delivered, or its payment counts for another order. Reload the page, or ask an operator.':
    'El pedido aún se comprueba, se entregó, o su pago cuenta para otro pedido. Vuelva a cargar la página o pregunte a un operador.',
  'The chain has not confirmed the transaction yet': 'La cadena todavía no ha confirmado la transacción',
  'Wait a minute and press again. If it takes long, check the hash.':
    'Espere un minuto y pulse otra vez. Si tarda mucho, compruebe el hash.',
  'This transaction did not pay the buyer back': 'Esta transacción no devolvió el dinero al comprador',
  'It must move the token of the order from the wallet of the seller to the wallet of the buyer, after the order was placed. Check the hash.':
    'Debe mover el token del pedido del monedero del vendedor al del comprador después de realizarse el pedido. Compruebe el hash.',
  'The transaction counts for another order': 'La transacción cuenta para otro pedido',
  'One transaction counts for one order. Check the hash.':
    'Una transacción cuenta para un solo pedido. Compruebe el hash.',
  'This order has too many transactions': 'Este pedido tiene demasiadas transacciones',
  'At most 20 transactions are recorded for an order.':
    'Para un pedido se registran 20 transacciones como máximo.',
  'This order can no longer be cancelled': 'Este pedido ya no se puede cancelar',
  'Only an order that waits for its payment can be cancelled.':
    'Solo se puede cancelar un pedido que espera su pago.',
  'The email address or the password is wrong': 'La dirección de correo o la contraseña no es correcta',
  'Check both and try again.': 'Compruebe ambas y vuelva a intentarlo.',
  'This is not an email address': 'Esto no es una dirección de correo',
  'Check the address and try again.': 'Compruebe la dirección y vuelva a intentarlo.',
  'The password is wrong': 'La contraseña no es correcta',
  'Enter your current password.': 'Introduzca su contraseña actual.',
  'The password is too short': 'La contraseña es demasiado corta',
  'Use at least 12 characters.': 'Use al menos 12 caracteres.',
  'The password is too long': 'La contraseña es demasiado larga',
  'Use at most 256 characters.': 'Use como máximo 256 caracteres.',
  'This link does not work any more': 'Este enlace ya no funciona',
  'It works once, for an hour. Request a new one on the sign-in page.':
    'Funciona una vez, durante una hora. Pida uno nuevo en la página de inicio de sesión.',
  'The code is wrong': 'El código no es correcto',
  'Enter the newest code of your app.': 'Introduzca el código más reciente de su aplicación.',
  'The backup code is wrong or was used': 'El código de respaldo no es correcto o ya se usó',
  'Each backup code works once. Enter another one.':
    'Cada código de respaldo funciona una vez. Introduzca otro.',
  'The sign-in took too long': 'El inicio de sesión tardó demasiado',
  'Enter your password again.': 'Introduzca su contraseña otra vez.',
  'Too many wrong codes': 'Demasiados códigos incorrectos',
  'Your account is locked for a while. Try again later.':
    'Su cuenta está bloqueada durante un tiempo. Vuelva a intentarlo más tarde.',
  'You signed in too long ago for this change': 'Inició sesión hace demasiado tiempo para este cambio',
  'Sign out, sign in again, and repeat it.': 'Cierre la sesión, vuelva a iniciarla y repítalo.',
  'This passkey is not known here': 'Esta clave de acceso no se conoce aquí',
  'It may have been removed. Sign in with your password.':
    'Quizá se eliminó. Inicie sesión con su contraseña.',
  'This device has a passkey already': 'Este dispositivo ya tiene una clave de acceso',
  'Use it to sign in, or remove it from the list first.':
    'Úsela para iniciar sesión o quítela primero de la lista.',
  'No passkey was used': 'No se usó ninguna clave de acceso',
  'The request was closed or took too long. Try again.':
    'La solicitud se cerró o tardó demasiado. Vuelva a intentarlo.',
  'This browser does not support passkeys': 'Este navegador no admite claves de acceso',
  'Sign in with your password, or update the browser.':
    'Inicie sesión con su contraseña o actualice el navegador.',
  'Something went wrong': 'Algo ha fallado',
  'Reload the page. If it happens again, tell an operator what you did.':
    'Vuelva a cargar la página. Si ocurre otra vez, cuente a un operador lo que hizo.',
  'You are offline': 'No hay conexión',
  'The console continues when the connection is back.': 'La consola continúa cuando vuelva la conexión.',
  'Your role is {role}. Ask an owner of the project to do it, or to change your role.':
    'Su rol es {role}. Pida a un propietario del proyecto que lo haga o que cambie su rol.',
  'Try again in {seconds} seconds.': 'Vuelva a intentarlo en {seconds} segundos.',
  // texts/market.ts
  Common: 'Normal',
  'Everybody can buy at the price.': 'Todos pueden comprar a ese precio.',
  'With a coupon': 'Con cupón',
  'A coupon lowers the price of every order.': 'Un cupón baja el precio de cada pedido.',
  'Time-limited coupon': 'Cupón por tiempo limitado',
  'A coupon lowers the price of every order until it ends.':
    'Un cupón baja el precio de cada pedido hasta que termine.',
  'With coupon codes': 'Con códigos de cupón',
  'Buyers who enter a code of a coupon pay less.':
    'Los compradores que introducen un código de un cupón pagan menos.',
  'For specified wallets': 'Para monederos indicados',
  'Only the wallets that you name can buy.': 'Solo pueden comprar los monederos que usted indique.',
  Left: 'Quedan',
  '{left} of {quantity}': '{left} de {quantity}',
  'Create coupon': 'Crear cupón',
  Discount: 'Descuento',
  'Coupon {id}': 'Cupón {id}',
  Percentage: 'Porcentaje',
  'Amount off': 'Importe de descuento',
  'Fixed price': 'Precio fijo',
  'Kind of discount': 'Tipo de descuento',
  'Discount in percent': 'Descuento en porcentaje',
  'More than 0, at most 100.': 'Más de 0, 100 como máximo.',
  'Token of the listings': 'Token de las publicaciones',
  'Amounts, such as the least price of an order, are in this token. Use the coupon for listings in it only.':
    'Los importes, por ejemplo el precio mínimo de un pedido, están en este token. Use el cupón solo para publicaciones en él.',
  'Amount off an order': 'Importe de descuento por pedido',
  'Price of one unit with the coupon': 'Precio de una unidad con el cupón',
  'Number of codes': 'Número de códigos',
  '1 to 10,000. Each has 12 characters.': 'De 1 a 10.000. Cada uno tiene 12 caracteres.',
  'Your own code': 'Su propio código',
  'Instead of generated ones: 4 to 64 letters, digits and hyphens.':
    'En lugar de códigos generados: de 4 a 64 letras, cifras y guiones.',
  'Smaller orders do not get the discount.': 'Los pedidos menores no reciben el descuento.',
  'Uses of all buyers together': 'Usos de todos los compradores juntos',
  'Empty: no limit.': 'Vacío: sin límite.',
  'In your time zone. Empty: forever.': 'En su zona horaria. Vacío: para siempre.',
  '{count, plural, one {# code} other {# codes}} for coupon {id}':
    '{count, plural, one {# código} other {# códigos}} del cupón {id}',
  'Copy or download the codes now': 'Copie o descargue los códigos ahora',
  'The gateway does not list them again. A code can be looked up later, one at a time.':
    'El gateway no vuelve a mostrarlos en una lista. Más tarde se puede buscar un código, de uno en uno.',
  Codes: 'Códigos',
  'Copy all': 'Copiar todo',
  'Below this, nothing is sold. Bidders do not see it.':
    'Por debajo de esto no se vende nada. Los postores no lo ven.',
  'A bid of this amount ends the auction at once.':
    'Una puja de este importe termina la subasta de inmediato.',
  // texts/minting.ts
  'collected by the contract': 'cobrado por el contrato',
  'paid by an order': 'pagado con un pedido',
  'Every wallet': 'Todos los monederos',
  'Wallets on the whitelist': 'Monederos de la lista blanca',
  'Wallets with a proof (Merkle tree)': 'Monederos con una prueba (árbol de Merkle)',
  'The contract collects the price': 'El contrato cobra el precio',
  'An order collects the price before the mint': 'Un pedido cobra el precio antes de la acuñación',
  'Empty: the description of the contract.': 'Vacío: la descripción del contrato.',
  'Metadata of tokens by quantity': 'Metadatos de los tokens por cantidad',
  'Empty: tokens cannot be minted by quantity.': 'Vacío: no se pueden acuñar tokens por cantidad.',
  'Receives the price': 'Recibe el precio',
  'A wallet. Empty: the contract decides.': 'Un monedero. Vacío: decide el contrato.',
  'Receives royalties': 'Recibe las regalías',
  '0 to 100.': 'De 0 a 100.',
  Previews: 'Vistas previas',
  // texts/orders.ts
  Sale: 'Venta',
  'Sale with coupon': 'Venta con cupón',
  'Limited-time coupon': 'Cupón por tiempo limitado',
  'Coupon code': 'Código de cupón',
  'Sale to named wallets': 'Venta a monederos indicados',
  'Product card': 'Ficha de producto',
  'The payment was made before the order was placed.': 'El pago se hizo antes de realizarse el pedido.',
  'The payment arrived when nothing was left. The seller owes a refund.':
    'El pago llegó cuando no quedaba nada. El vendedor debe un reembolso.',
  'The payment moved within a contract, which the chain’s node cannot show.':
    'El pago se movió dentro de un contrato, lo que el nodo de la cadena no puede mostrar.',
  'The buyer paid too little, another token or another recipient.':
    'El comprador pagó de menos, con otro token o a otro destinatario.',
  'The transaction was not included in a block in time.':
    'La transacción no se incluyó en un bloque a tiempo.',
  'The seller no longer owns the token.': 'El token ya no pertenece al vendedor.',
  'No node of the chain knows the transaction.': 'Ningún nodo de la cadena conoce la transacción.',
  'Another wallet than the buyer has paid.': 'Pagó otro monedero que no es el del comprador.',
  'The payment counts for another order.': 'El pago cuenta para otro pedido.',
  'The chain removed the payment after it was confirmed.': 'La cadena quitó el pago después de confirmarlo.',
  'The transaction failed on the chain.': 'La transacción falló en la cadena.',
  'The transaction does not pay this order.': 'La transacción no paga este pedido.',
  'Cancel order': 'Cancelar el pedido',
  'Payment reported': 'Pago comunicado',
  'Payment found in block {block}': 'Pago encontrado en el bloque {block}',
  'A refund is due': 'Hay un reembolso pendiente',
  'Removed from the lists': 'Quitado de las listas',
  // texts/scanner.ts
  'This browser cannot store scans': 'Este navegador no puede guardar escaneos',
  'Without that, a scan could be lost or counted twice. Leave private browsing, or free some space, and reload the page.':
    'Sin ello, un escaneo podría perderse o contar dos veces. Salga de la navegación privada o libere espacio y vuelva a cargar la página.',
  'The camera is not allowed': 'La cámara no está permitida',
  'Allow the camera for this page in the settings of the browser, or type the code.':
    'Permita la cámara para esta página en los ajustes del navegador o escriba el código.',
  'There is no camera': 'No hay cámara',
  'Type the code, or choose a picture of it. Cameras need a page that is served over https.':
    'Escriba el código o elija una imagen de él. Las cámaras necesitan una página servida por https.',
  'The camera does not start': 'La cámara no se inicia',
  'Another program may be using it. Close that and try again, or type the code.':
    'Quizá la usa otro programa. Ciérrelo y vuelva a intentarlo, o escriba el código.',
  'The code is too long to be that of a card': 'El código es demasiado largo para ser el de una tarjeta',
  'No store set': 'Sin tienda elegida',
  'Not confirmed yet': 'Todavía sin confirmar',
  'No answer from the server. The scan is stored and is sent until there is one. It can still be refused.':
    'El servidor no responde. El escaneo está guardado y se envía hasta que haya respuesta. Todavía puede rechazarse.',
  'Last scans': 'Últimos escaneos',
  Waiting: 'En espera',
  'The card is valid from {start}.': 'La tarjeta es válida desde {start}.',
  'The card was valid until {end}.': 'La tarjeta fue válida hasta {end}.',
  'The card was redeemed before and has no use left.': 'La tarjeta se canjeó antes y no le quedan usos.',
  'Already redeemed today': 'Ya canjeada hoy',
  'A membership card counts once a day in each store.':
    'Una tarjeta de socio cuenta una vez al día en cada tienda.',
  'Somebody entered with this card before.': 'Alguien entró antes con esta tarjeta.',
  'Already checked in today': 'Visita ya registrada hoy',
  'All {total} uses are redeemed.': 'Los {total} usos están canjeados.',
  'The card is accepted in: {stores}. Set the store of this scanner in its settings.':
    'La tarjeta se acepta en: {stores}. Indique la tienda de este escáner en sus ajustes.',
  'The card is accepted in: {stores}. This scanner is in: {store}.':
    'La tarjeta se acepta en: {stores}. Este escáner está en: {store}.',
  'The shop accepts the cards of this campaign again when it resumes it.':
    'La tienda volverá a aceptar las tarjetas de esta campaña cuando la reanude.',
  'The shop accepts the cards of this campaign no more.':
    'La tienda ya no acepta las tarjetas de esta campaña.',
  'The shop has removed this card.': 'La tienda ha eliminado esta tarjeta.',
  'Unknown code': 'Código desconocido',
  'No card of this project has this code. It may be from another shop, or the card was removed.':
    'Ninguna tarjeta de este proyecto tiene este código. Puede ser de otra tienda, o la tarjeta se eliminó.',
  'Nothing to redeem': 'No hay nada que canjear',
  'This is a commemorative card. It is genuine, and it cannot be redeemed.':
    'Es una tarjeta conmemorativa. Es auténtica y no se puede canjear.',
  'Check the settings of the scanner and scan the card again.':
    'Compruebe los ajustes del escáner y escanee la tarjeta otra vez.',
  'The server does not accept this scan': 'El servidor no acepta este escaneo',
  'Nothing was redeemed. {message}': 'No se canjeó nada. {message}',
  'The server says: {reason}.': 'El servidor dice: {reason}.',
  // texts/search.ts
  Search: 'Buscar',
  'Find an order, card or wallet': 'Buscar un pedido, una tarjeta o un monedero',
  // texts/shell.ts
  Main: 'Principal',
  'Your role does not include this page': 'Su rol no incluye esta página',
  'Your role is {role}. Ask an owner of the project to change it.':
    'Su rol es {role}. Pida a un propietario del proyecto que lo cambie.',
  System: 'Sistema',
  Light: 'Claro',
  Dark: 'Oscuro',
  Connecting: 'Conectando',
  Live: 'En directo',
  Reconnecting: 'Reconectando',
  'Not live': 'Sin conexión en directo',
  'Connecting to the server.': 'Conectando con el servidor.',
  'Pages change as soon as something happens.': 'Las páginas cambian en cuanto pasa algo.',
  'The connection was lost. Pages may be out of date until it is back.':
    'Se perdió la conexión. Las páginas pueden no estar al día hasta que vuelva.',
  'Pages do not change on their own. Reload the page.':
    'Las páginas no cambian por sí solas. Vuelva a cargar la página.',
  'Show keyboard shortcuts': 'Mostrar los atajos de teclado',
  Loading: 'Cargando',
  'May do everything, and manages people and API keys.':
    'Puede hacer todo y gestiona las personas y las claves de API.',
  Manager: 'Encargado',
  'May do everything except manage people and API keys.':
    'Puede hacer todo excepto gestionar personas y claves de API.',
  Staff: 'Personal',
  'May scan cards, and see what is needed for that.':
    'Puede escanear tarjetas y ver lo que hace falta para ello.',
  Auditor: 'Auditor',
  'May see everything, and change nothing.': 'Puede ver todo y no cambiar nada.',
  Copy: 'Copiar',
  'Pages of {list}': 'Páginas de {list}',
  Total: 'Total',
  Yes: 'Sí',
  No: 'No',
  'Open in the block explorer': 'Abrir en el explorador de bloques',
  'Nothing found': 'No se encontró nada',
  'No item matches the filters.': 'Ningún elemento cumple los filtros.',
  'Discard what you typed?': '¿Descartar lo que escribió?',
  'It is not saved.': 'No está guardado.',
  Discard: 'Descartar',
  'Keep editing': 'Seguir editando',
  // texts/sign-in.ts
  'Your session has ended': 'Su sesión ha terminado',
  'Sign in again to continue where you were. If somebody else signs in, what you entered is discarded.':
    'Inicie sesión otra vez para continuar donde estaba. Si la inicia otra persona, lo que introdujo se descarta.',
  // texts/undo.ts
  'Scanned by mistake': 'Escaneado por error',
  'Wrong card': 'Tarjeta equivocada',
  'The customer did not take it': 'El cliente no lo tomó',
  'The order was cancelled': 'El pedido se canceló',
  Other: 'Otro',
  // texts/wallets.ts
  'This is not an address': 'Esto no es una dirección',
  'Enter 0x and 40 hexadecimal digits to open a wallet.':
    'Introduzca 0x y 40 dígitos hexadecimales para abrir un monedero.',
  Email: 'Correo electrónico',
  'Background of the showcase': 'Fondo del escaparate',
  '{count, plural, one {# unread message} other {# unread messages}}':
    '{count, plural, one {# mensaje sin leer} other {# mensajes sin leer}}',
  Send: 'Enviar',
  'The message is sent': 'El mensaje se ha enviado',
  // texts/webhooks.ts
  'Saving enables this webhook': 'Al guardar se activa este webhook',
  'Save and enable': 'Guardar y activar',
  'Send the events of a range again': 'Enviar otra vez los eventos de un intervalo',
  '{count, plural, one {# event} other {# events}}': '{count, plural, one {# evento} other {# eventos}}',
  'This range was sent in part: {count, plural, one {# delivery} other {# deliveries}} started':
    'Este intervalo se envió en parte: {count, plural, one {# entrega iniciada} other {# entregas iniciadas}}',
  'If you send it again, it continues where it stopped.': 'Si lo envía otra vez, continúa donde se detuvo.',
  '{count, plural, one {# delivery} other {# deliveries}} started':
    '{count, plural, one {# entrega iniciada} other {# entregas iniciadas}}',
}
