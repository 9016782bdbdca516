package dev.hearth.submission.api;

import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;

/** What a command line asks for. Closed: front ends stop compiling until they answer a new kind. */
public sealed interface SubmissionRequest {
    <R> R accept(Handler<R> handler) throws Exception;

    /** Run an application; {@code waits} for its end where it runs elsewhere. */
    record Submit(SubmissionPlan plan, MasterUrl master, DeployMode mode, boolean waits, boolean verbose)
            implements SubmissionRequest {
        @Override
        public <R> R accept(Handler<R> handler) throws Exception {
            return handler.onSubmit(this);
        }
    }

    /** Tell how a submission fares. */
    record Status(SubmissionId submission, MasterUrl master, Settings settings) implements SubmissionRequest {
        @Override
        public <R> R accept(Handler<R> handler) throws Exception {
            return handler.onStatus(this);
        }
    }

    /** End a submission. */
    record Kill(SubmissionId submission, MasterUrl master, Settings settings) implements SubmissionRequest {
        @Override
        public <R> R accept(Handler<R> handler) throws Exception {
            return handler.onKill(this);
        }
    }

    /** Tell how to use the command. */
    record Help() implements SubmissionRequest {
        @Override
        public <R> R accept(Handler<R> handler) throws Exception {
            return handler.onHelp(this);
        }
    }

    /** Tell which version this is. */
    record Version() implements SubmissionRequest {
        @Override
        public <R> R accept(Handler<R> handler) throws Exception {
            return handler.onVersion(this);
        }
    }

    /** Answers each kind of request. */
    interface Handler<R> {
        R onSubmit(Submit request) throws Exception;

        R onStatus(Status request) throws Exception;

        R onKill(Kill request) throws Exception;

        R onHelp(Help request) throws Exception;

        R onVersion(Version request) throws Exception;
    }
}
