package dev.hearth.kubernetes.internal.volumes;

import java.util.List;

/** Effect of an event on a {@link VolumePool}. Claims are named by their numbers. Immutable. */
public sealed interface VolumeEffect {
    void perform(Handler handler);

    /** Sends the request for a claim; the same request if it was sent before. */
    record CreateClaim(long claim, ClaimSpec spec) implements VolumeEffect {
        @Override
        public void perform(Handler handler) {
            handler.onCreateClaim(this);
        }
    }

    /** Lists all claims of the application's executors. */
    record ListClaims() implements VolumeEffect {
        @Override
        public void perform(Handler handler) {
            handler.onListClaims(this);
        }
    }

    record DeleteClaim(long claim) implements VolumeEffect {
        @Override
        public void perform(Handler handler) {
            handler.onDeleteClaim(this);
        }
    }

    /** Makes the pod of an executor the owner of its claims. */
    record OwnClaims(long executor, List<Long> claims) implements VolumeEffect {
        public OwnClaims {
            claims = List.copyOf(claims);
        }

        @Override
        public void perform(Handler handler) {
            handler.onOwnClaims(this);
        }
    }

    /** Warns the user, once, about something that the application does without. */
    record Warn(String words) implements VolumeEffect {
        @Override
        public void perform(Handler handler) {
            handler.onWarn(this);
        }
    }

    interface Handler { // without default methods, so that a handler must implement each new effect to compile
        void onCreateClaim(CreateClaim effect);

        void onListClaims(ListClaims effect);

        void onDeleteClaim(DeleteClaim effect);

        void onOwnClaims(OwnClaims effect);

        void onWarn(Warn effect);
    }
}
