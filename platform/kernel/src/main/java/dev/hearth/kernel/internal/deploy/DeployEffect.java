package dev.hearth.kernel.internal.deploy;

import java.util.List;

/**
 * Action that {@link Deployment} has decided on and {@link DirectoryDeployer} carries out. {@code copy} is the number
 * of one installation of a bundle in the framework; numbers are never reused.
 */
sealed interface DeployEffect {
    void perform(Performer performer);

    /**
     * Carries out effects. Reports the result of every effect to {@link Deployment}, except hiding, discarding and
     * logging. Also reports when a start or stop exceeds its time limit.
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

    /**
     * Copies the file {@code file} of the deploy directory and identifies the bundle in the copy. {@code stamp} is the
     * state of the file when the last scan found it.
     */
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

    /** Starts an installed bundle. The bundles {@code needs}, which are not in deploy/, start before it. */
    record Start(int copy, List<String> needs) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onStart(this);
        }
    }

    /**
     * Stops and uninstalls the bundle of an installation, if it has no users such as applications. If {@code byForce}
     * is set, also does so if it has users, unless one of them needs it until the process ends.
     */
    record Stop(int copy, boolean byForce) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onStop(this);
        }
    }

    /** Releases the classes of an uninstalled bundle by an OSGi refresh, unless other bundles still use them. */
    record Refresh(int copy) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onRefresh(this);
        }
    }

    /**
     * Hides the services of an installed bundle, which is to be stopped, from bundles that do not use them yet. Bundles
     * that use them already keep them.
     */
    record Hide(int copy) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onHide(this);
        }
    }

    /** Deletes the copy in the {@link JarStore} of the jar whose bytes have the hash {@code content}. */
    record Discard(String content) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onDiscard(this);
        }
    }

    /** Writes one message about the deployment to the log. */
    record LogMessage(boolean warning, String text) implements DeployEffect {
        @Override
        public void perform(Performer performer) {
            performer.onMessage(this);
        }
    }
}
