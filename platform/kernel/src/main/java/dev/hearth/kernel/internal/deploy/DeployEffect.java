package dev.hearth.kernel.internal.deploy;

/** What {@link Deployment} wants done. {@code copy} numbers one installation of one content, and is never used again. */
sealed interface DeployEffect {
    void perform(Performer performer);

    /** Does them, and answers each but the last three, at once or later; of one that takes too long it says so in between. */
    interface Performer {
        void onRead(Read effect);

        void onInstall(Install effect);

        void onStart(Start effect);

        void onStop(Stop effect);

        void onRefresh(Refresh effect);

        void onHide(Hide effect);

        void onDiscard(Discard effect);

        void onTell(Tell effect);
    }

    /** Keep the content of a file and say what it is; {@code stamp} is how it looked. */
    record Read(String file, Stamp stamp) implements DeployEffect {
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

    /** Stop and uninstall, unless somebody uses it; by force, although somebody does. */
    record Stop(int copy, boolean byForce) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onStop(this);
        }
    }

    /** Let the classes of what was uninstalled go, unless other bundles use them. */
    record Refresh(int copy) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onRefresh(this);
        }
    }

    /** Keep its services from new users. */
    record Hide(int copy) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onHide(this);
        }
    }

    /** Drop what was kept of a content. */
    record Discard(String content) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onDiscard(this);
        }
    }

    /** Say something, once. */
    record Tell(boolean warning, String text) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onTell(this);
        }
    }
}
