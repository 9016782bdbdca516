package dev.hearth.kubernetes.internal.submission;

import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;

/** Decision of a {@link Submission}, which its shell carries out. Immutable. */
interface SubmissionEffect {
    void perform(Handler handler);

    /** Sends the request {@code kind}; its answer goes to {@link Submission#answered}. */
    record Send(RequestKind kind) implements SubmissionEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSend(this);
        }
    }

    /** Calls {@link Submission#wake} after a delay. */
    record Wake(Duration after) implements SubmissionEffect {
        @Override
        public void perform(Handler handler) {
            handler.onWake(this);
        }
    }

    /** The driver's pod exists and owns the secret, or will own it once it runs. */
    record Accepted(String podUid) implements SubmissionEffect {
        @Override
        public void perform(Handler handler) {
            handler.onAccepted(this);
        }
    }

    /** The submission has failed, and what it had created is deleted or named in {@code words}. */
    record Refused(ErrorCode code, String words) implements SubmissionEffect {
        @Override
        public void perform(Handler handler) {
            handler.onRefused(this);
        }
    }

    /** Line for the user about something that the submission does without. */
    record Warn(String words) implements SubmissionEffect {
        @Override
        public void perform(Handler handler) {
            handler.onWarn(this);
        }
    }

    /** Request to the API server that a submission sends. */
    enum RequestKind {
        CREATE_SECRET,
        /** Creates the next claim of a volume of the driver's pod; one after the other. */
        CREATE_CLAIM,
        CREATE_DRIVER,
        /** Creates the service and the network policy; each is a request of its own with one answer. */
        CREATE_SERVICE,
        CREATE_POLICY,
        /** Makes the driver's pod the owner of the secret. */
        ADOPT,
        /** Reads the driver's pod, whose creation was not confirmed. */
        READ_DRIVER,
        DELETE_DRIVER,
        DELETE_SECRET,
        /** Marks the secret, so that the sweep deletes a driver's pod that comes late. */
        CANCEL
    }

    interface Handler { // without default methods, so that a handler must implement each new effect to compile
        void onSend(Send effect);

        void onWake(Wake effect);

        void onAccepted(Accepted effect);

        void onRefused(Refused effect);

        void onWarn(Warn effect);
    }
}
