import type { ProjectMembership, Session } from '@mintmark/admin'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../components/icon.tsx'
import { LazyMenu } from '../components/lazy-menu.tsx'
import { t } from '../language/translate.ts'

interface ProjectMenuProps {
  readonly session: Session
  readonly project: ProjectMembership
}

/** Shows the open project. A person with several can choose another one. */
export function ProjectMenu({ session, project }: ProjectMenuProps): ReactNode {
  const navigate = useNavigate()
  const name = <span className="grow truncate project-name">{project.projectName}</span>
  if (session.projects.length < 2) {
    return (
      <div className="menu-button menu-button-static">
        <Icon name="project" />
        {name}
      </div>
    )
  }
  return (
    <LazyMenu
      label={t('Project {projectName}. Choose another one', { projectName: project.projectName })}
      kind="wide"
      entries={session.projects.map(({ projectId, projectName }) => ({
        key: String(projectId),
        label: projectName,
        isCurrent: projectId === project.projectId,
        onSelect: () => void navigate({ to: `/p/${projectId}` }),
      }))}
    >
      <Icon name="project" />
      {name}
      <Icon name="chevronDown" />
    </LazyMenu>
  )
}
