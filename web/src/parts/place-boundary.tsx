import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface Props {
  readonly children: ReactNode;
}

/**
 * What a place shows when it cannot be drawn: each place's program is fetched when it is first gone to, so it may be missing while
 * the service is away, or after it was replaced by another version. Without this React takes the whole page away.
 */
export class PlaceBoundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const trouble = {
      title: 'This place could not be shown',
      advice: 'The service may be away, or newer than this page. Load the page again.',
      technical: error.message,
    };
    return (
      <>
        <h1 className="unseen">Nothing to show</h1>
        <Notice trouble={trouble}>
          <Button icon="retry" onClick={() => location.reload()}>
            Load again
          </Button>
        </Notice>
      </>
    );
  }
}
