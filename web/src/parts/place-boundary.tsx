import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface Props {
  readonly children: ReactNode;
}

/**
 * Shows an error in place of a view that cannot be drawn; without it React removes the whole page. A view's
 * program is fetched at its first use. It may be missing while the service is down, or after another version
 * replaced it.
 */
export class PlaceBoundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const errorText = {
      title: 'This page could not be shown',
      advice: 'The service may be unavailable, or newer than this page. Reload the page.',
      technical: error.message,
    };
    return (
      <>
        <h1 className="unseen">Nothing to show</h1>
        <Notice errorText={errorText}>
          <Button icon="retry" onClick={() => location.reload()}>
            Load again
          </Button>
        </Notice>
      </>
    );
  }
}
