package dev.hearth.submission.api;

import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;

/**
 * Request on a command line. Front ends handle each kind in a {@link Handler}, so a new kind breaks their build until
 * they handle it.
 */
public sealed interface SubmissionRequest {
    <R> R accept(Handler<R> handler) throws Exception;

    /** Runs an application. With {@code waits}, a submitter in cluster mode waits for the end of the application. */
    record Submit(SubmissionPlan plan, MasterUrl master, DeployMode mode, boolean waits, boolean verbose)
            implements SubmissionRequest {
        @Override
        public <R> R accept(Handler<R> handler) throws Exception {
            return handler.onSubmit(this);
        }
    }

    /** Prints the status of a submission. */
    record Status(SubmissionId submission, MasterUrl master, Settings settings) implements SubmissionRequest {
        @Override
        public <R> R accept(Handler<R> handler) throws Exception {
            return handler.onStatus(this);
        }
    }

    /** Kills a submission. */
    record Kill(SubmissionId submission, MasterUrl master, Settings settings) implements SubmissionRequest {
        @Override
        public <R> R accept(Handler<R> handler) throws Exception {
            return handler.onKill(this);
        }
    }

    /** Prints the usage. */
    record Help() implements SubmissionRequest {
        @Override
        public <R> R accept(Handler<R> handler) throws Exception {
            return handler.onHelp(this);
        }
    }

    /** Prints the version. */
    record Version() implements SubmissionRequest {
        @Override
        public <R> R accept(Handler<R> handler) throws Exception {
            return handler.onVersion(this);
        }
    }

    /** Handler with one method per kind of request. */
    interface Handler<R> {
        R onSubmit(Submit request) throws Exception;

        R onStatus(Status request) throws Exception;

        R onKill(Kill request) throws Exception;

        R onHelp(Help request) throws Exception;

        R onVersion(Version request) throws Exception;
    }
}
