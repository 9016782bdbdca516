package dev.hearth.submission.api;

import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.settings.Settings;

/**
 * Request on the command line of {@code submit}. Front ends implement a {@link Handler} with one method for each kind
 * of request. A new kind therefore does not compile until every front end handles it.
 */
public sealed interface SubmissionRequest {
    <R> R accept(Handler<R> handler) throws Exception;

    /**
     * Request to run an application. If {@code waits} is set, the submitter of an application in cluster mode waits
     * until the application has ended.
     */
    record Submit(SubmissionPlan plan, MasterUrl master, DeployMode mode, boolean waits, boolean verbose)
            implements SubmissionRequest {
        @Override
        public <R> R accept(Handler<R> handler) throws Exception {
            return handler.onSubmit(this);
        }
    }

    /** Request to print the statuses of the submissions that match a pattern, as JSON if {@code json} is set. */
    record Status(SubmissionPattern submissions, MasterUrl master, Settings settings, boolean json)
            implements SubmissionRequest {
        @Override
        public <R> R accept(Handler<R> handler) throws Exception {
            return handler.onStatus(this);
        }
    }

    /** Kills the submissions that match a pattern, and prints their states before that, as JSON if {@code json} is set. */
    record Kill(SubmissionPattern submissions, MasterUrl master, Settings settings, boolean json)
            implements SubmissionRequest {
        @Override
        public <R> R accept(Handler<R> handler) throws Exception {
            return handler.onKill(this);
        }
    }

    /** Prints the usage; to standard error, and as a failure, if {@code isError} is set. */
    record Help(boolean isError) implements SubmissionRequest {
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

    /** Handler of requests, with one method for each kind of request. */
    interface Handler<R> {
        R onSubmit(Submit request) throws Exception;

        R onStatus(Status request) throws Exception;

        R onKill(Kill request) throws Exception;

        R onHelp(Help request) throws Exception;

        R onVersion(Version request) throws Exception;
    }
}
