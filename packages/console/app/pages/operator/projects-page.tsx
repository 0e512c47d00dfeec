import { operatorProjects } from '@mintmark/admin'
import { Badge } from '../../components/badge.tsx'
import { alignEnd } from '../../components/data-table.tsx'
import { openForm } from '../../components/dialogs.tsx'
import { defineResource } from '../../components/resource.tsx'
import { showInvitationLink } from '../../components/show-invitation-link.ts'
import { formatCount } from '../../format/number.ts'

async function createProject(): Promise<void> {
  const project = await openForm({
    operation: operatorProjects.create,
    fields: {
      name: {
        kind: 'text',
        isRequired: true,
        label: 'Name',
        description: 'The name of the shop or the company, such as Corner Coffee.',
      },
    },
    title: 'Create project',
  })
  if (project !== undefined) await inviteOwner(project)
}

/** Invites the first owner of a project, then shows the link once. */
async function inviteOwner(project: { readonly projectId: number; readonly name: string }): Promise<void> {
  const invitation = await openForm({
    operation: operatorProjects.inviteOwner,
    fixed: { projectId: project.projectId },
    fields: { email: { kind: 'email', isRequired: true, label: 'Email address of the owner' } },
    title: `Invite the owner of ${project.name}`,
    text: 'The next step shows a link for this person. The owner then invites everybody else on the page People.',
    action: 'Invite',
  })
  if (invitation !== undefined) await showInvitationLink(invitation)
}

/** All projects of the server: creating one, and inviting its owner. */
export const ProjectsPage = defineResource(operatorProjects.list, {
  title: 'Projects',
  description: 'All projects of this server. Each has its own people, keys and records.',
  actions: () => [{ label: 'Create project', kind: 'primary', icon: 'plus', onSelect: createProject }],
  filters: {
    q: {
      label: 'Search by name',
      matches: ({ name }, text) => name.toLowerCase().includes(text.toLowerCase()),
    },
  },
  columns: {
    name: { label: 'Name', cell: ({ name }) => <strong className="break">{name}</strong> },
    projectId: { label: 'Number', align: 'end' },
    people: alignEnd('People', ({ people }) =>
      people === 0 ? <Badge tone="warning">Nobody yet</Badge> : formatCount(people),
    ),
    activeKeys: 'Active keys',
    createTime: 'Created',
  },
  getKey: ({ projectId }) => projectId,
  nameOf: ({ name }) => name,
  rowActions: (project) => [
    project.people === 0 && { label: 'Invite its owner', onSelect: () => inviteOwner(project) },
  ],
  empty: {
    icon: 'project',
    title: 'No projects yet',
    advice: 'Create the first one, then invite its owner.',
  },
})
