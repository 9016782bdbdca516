package dev.hearth.kernel.internal.deploy;

/**
 * Action that {@link Deployment} has decided on and {@link DirectoryDeployer} carries out. {@code copy} is the number
 * of one installation; numbers are never reused.
 */
sealed interface DeployEffect {
    void perform(Performer performer);

    /**
     * Carries out effects. Reports to {@link Deployment} the result of every effect except hide, discard and log. Also
     * reports a start or stop that is late.
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

    /** Copies a file and identifies the bundle in it; {@code stamp} is the last known state of the file. */
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

    /** Stops and uninstalls the bundle if it is unused; with {@code byForce} also if it is used. */
    record Stop(int copy, boolean byForce) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onStop(this);
        }
    }

    /** Refreshes an uninstalled bundle, unless other bundles still use its classes. */
    record Refresh(int copy) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onRefresh(this);
        }
    }

    /** Hides the services of an installation from bundles that do not use them yet. */
    record Hide(int copy) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onHide(this);
        }
    }

    /** Deletes the stored copy of a jar. */
    record Discard(String content) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onDiscard(this);
        }
    }

    /** Writes a message to the log. */
    record LogMessage(boolean warning, String text) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onMessage(this);
        }
    }
}
