package dev.hearth.kernel.internal.deploy;

/**
 * Decision of {@link Deployment}, to be carried out. {@code copy} numbers one installation of one content and is never
 * reused.
 */
sealed interface DeployEffect {
    void perform(Performer performer);

    /**
     * Carries out effects. Reports the result of each but the last three to {@link Deployment}, and reports lateness
     * meanwhile.
     */
    interface Performer {
        void onRead(Read effect);

        void onInstall(Install effect);

        void onStart(Start effect);

        void onStop(Stop effect);

        void onRefresh(Refresh effect);

        void onHide(Hide effect);

        void onDiscard(Discard effect);

        void onMessage(LogMessage effect);
    }

    /** Copy and identify the content of a file; {@code stamp} is its last known state. */
    record Read(String file, FileStamp stamp) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onRead(this);
        }
    }

    record Install(int copy, String content) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onInstall(this);
        }
    }

    record Start(int copy) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onStart(this);
        }
    }

    /** Stop and uninstall if unused; with {@code byForce} also if used. */
    record Stop(int copy, boolean byForce) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onStop(this);
        }
    }

    /** Refresh an uninstalled bundle, unless other bundles use its classes. */
    record Refresh(int copy) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onRefresh(this);
        }
    }

    /** Hide its services from new users. */
    record Hide(int copy) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onHide(this);
        }
    }

    /** Delete the stored copy of a content. */
    record Discard(String content) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onDiscard(this);
        }
    }

    /** Log a message once. */
    record LogMessage(boolean warning, String text) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onMessage(this);
        }
    }
}
