package dev.hearth.yarn.internal.submission;

import dev.hearth.api.HearthException;

/** Order of {@link YarnSubmission} to its shell. */
sealed interface YarnSubmissionEffect {
    <R> R accept(Handler<R> handler);

    /** Looks for an application with the tag of this submission. */
    record Find() implements YarnSubmissionEffect {
        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onFind(this);
        }
    }

    /** Has an id assigned, and checks what the application needs. */
    record Create() implements YarnSubmissionEffect {
        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onCreate(this);
        }
    }

    /** Brings the files of {@code application} to the cluster. If {@code afresh}, what is known of the store is doubtful. */
    record Stage(String application, boolean afresh) implements YarnSubmissionEffect {
        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onStage(this);
        }
    }

    /** Submits {@code application}. */
    record Submit(String application) implements YarnSubmissionEffect {
        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onSubmit(this);
        }
    }

    /** Removes the files of {@code application}; kills it if it may be submitted. */
    record Undo(String application, boolean kill) implements YarnSubmissionEffect {
        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onUndo(this);
        }
    }

    /** Prints a line. */
    record Say(String line) implements YarnSubmissionEffect {
        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onSay(this);
        }
    }

    /** Reports to the submitter that the cluster has accepted {@code application}. */
    record Accept(String application) implements YarnSubmissionEffect {
        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onAccept(this);
        }
    }

    /** Follows {@code application} until its end. */
    record Watch(String application) implements YarnSubmissionEffect {
        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onWatch(this);
        }
    }

    /** Reports to the submitter that the submission has failed. */
    record Fail(HearthException why) implements YarnSubmissionEffect {
        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onFail(this);
        }
    }

    /** Handler of effects, with a method for each kind. */
    interface Handler<R> {
        R onFind(Find effect);

        R onCreate(Create effect);

        R onStage(Stage effect);

        R onSubmit(Submit effect);

        R onUndo(Undo effect);

        R onSay(Say effect);

        R onAccept(Accept effect);

        R onWatch(Watch effect);

        R onFail(Fail effect);
    }
}
