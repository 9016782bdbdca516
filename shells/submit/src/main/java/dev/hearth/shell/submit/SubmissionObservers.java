package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionObserver;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.role.ExitingThread;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the services that follow what this process submits. Usually there are none. Thread-safe: each call holds the lock
 * of this object, so that observers are called one at a time.
 */
final class SubmissionObservers {
    private static final Logger LOG = LoggerFactory.getLogger(SubmissionObservers.class);

    private final List<SubmissionObserver> observers = new CopyOnWriteArrayList<>();
    private boolean ended;

    void add(SubmissionObserver observer) {
        observers.add(observer);
    }

    void remove(SubmissionObserver observer) {
        observers.remove(observer);
    }

    void began(SubmissionPlan plan, DeployMode mode, Runnable stop) {
        call(observer -> observer.began(plan, mode, stop));
    }

    /**
     * Reports the status with which this process ends, once. If the application has called exit, only the JVM knows the
     * status, so nothing is reported.
     */
    void ended(ExitStatus status) {
        boolean byApplication = !observers.isEmpty()
                && status.status() == ExitCode.TERMINATED.status()
                && Thread.getAllStackTraces().keySet().stream().anyMatch(ExitingThread::is);
        if (!byApplication) {
            end(status.status(), "", "");
        }
    }

    /** Reports the failure with which this process ends, once. */
    void failed(Throwable failure) {
        end(Failures.code(failure).exit().status(), Failures.code(failure).name(), Failures.describe(failure));
    }

    private synchronized void end(int status, String code, String message) {
        if (!ended) {
            ended = true;
            call(observer -> observer.ended(status, code, message));
        }
    }

    /** Returns a listener that passes a submission's events to {@code progress} and to the observers. */
    SubmissionListener around(SubmissionListener progress) {
        return observers.isEmpty() ? progress : new Observed(progress);
    }

    void accepted(SubmissionId submission) {
        call(observer -> observer.accepted(submission));
    }

    private synchronized void call(Consumer<SubmissionObserver> action) {
        for (SubmissionObserver observer : observers) {
            try {
                action.accept(observer);
            } catch (RuntimeException failure) {
                LOG.warn("observer of submissions {}: failed", observer, failure);
            }
        }
    }

    private final class Observed implements SubmissionListener {
        private final SubmissionListener progress;

        Observed(SubmissionListener progress) {
            this.progress = progress;
        }

        @Override
        public void changed(SubmissionStatus status) {
            call(observer -> observer.changed(status)); // first, as progress may end the process
            progress.changed(status);
        }

        @Override
        public void ownProgress() {
            progress.ownProgress();
        }

        @Override
        public void said(String line) {
            progress.said(line);
        }

        @Override
        public void wrote(String output) {
            progress.wrote(output);
        }

        @Override
        public void lost(String reason) {
            progress.lost(reason);
        }
    }
}
