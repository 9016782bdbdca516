package dev.hearth.yarn.internal.submission;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.yarn.internal.cluster.ClusterReport;
import dev.hearth.yarn.internal.settings.ReportSettings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Feeds a {@link YarnSubmission} and its {@link ApplicationFollowing} with the answers of the cluster, and does what they
 * order. Owned by the submitter's event loop; the work runs on {@code blocking}, one step at a time.
 */
final class YarnSubmissionShell {
    private final EventLoop loop;
    private final Executor blocking;
    private final SubmissionWork work;
    private final SubmissionListener listener;
    private final ReportSettings settings;
    private final YarnSubmission submission;
    private final Effects effects = new Effects();
    private final CompletableFuture<SubmissionId> accepted = new CompletableFuture<>();
    private boolean sweeping;
    private boolean closing;

    YarnSubmissionShell(
            EventLoop loop,
            Executor blocking,
            SubmissionWork work,
            SubmissionListener listener,
            ReportSettings settings,
            boolean mayBeRepeated) {
        this.loop = loop;
        this.blocking = blocking;
        this.work = work;
        this.listener = listener;
        this.settings = settings;
        this.submission = new YarnSubmission(mayBeRepeated, settings.waits());
    }

    /** Begins; the result completes on the loop when the cluster has accepted the application. */
    CompletionStage<SubmissionId> begin() {
        perform(submission.begin());
        return accepted;
    }

    /** The user ends the submission. */
    void stop() {
        submission.stopping();
    }

    private void perform(List<YarnSubmissionEffect> ordered) {
        for (YarnSubmissionEffect effect : ordered) {
            effect.accept(effects);
        }
    }

    /** Runs {@code step} on a thread for blocking calls, and one of the others on the loop. */
    private <T> void run(Callable<T> step, Consumer<T> done, Consumer<Exception> failed) {
        blocking.execute(() -> {
            try {
                T result = step.call();
                loop.execute(() -> done.accept(result));
            } catch (Exception failure) {
                loop.execute(() -> failed.accept(failure));
            }
        });
    }

    private void fail(Exception failure) {
        perform(submission.failed(hearth(failure)));
    }

    private static HearthException hearth(Exception failure) {
        return failure instanceof HearthException known ? known : SubmissionFailures.of(failure);
    }

    private void swept(Optional<String> line) {
        sweeping = false;
        line.ifPresent(listener::said);
        if (closing) {
            close();
        }
    }

    /** Closes the work, once the sweep that runs beside it is over. */
    private void close() {
        closing = true;
        if (!sweeping) {
            blocking.execute(work::close);
        }
    }

    /** Performs the effects of the submission. */
    private final class Effects implements YarnSubmissionEffect.Handler<Boolean> {
        @Override
        public Boolean onFind(YarnSubmissionEffect.Find effect) {
            run(work::find, found -> perform(submission.found(found)), YarnSubmissionShell.this::fail);
            return true;
        }

        @Override
        public Boolean onCreate(YarnSubmissionEffect.Create effect) {
            run(
                    work::create,
                    created -> perform(submission.created(created.application(), created.problems())),
                    YarnSubmissionShell.this::fail);
            return true;
        }

        @Override
        public Boolean onStage(YarnSubmissionEffect.Stage effect) {
            run(
                    () -> {
                        work.stage(effect.application(), effect.afresh());
                        return true;
                    },
                    done -> perform(submission.staged()),
                    YarnSubmissionShell.this::fail);
            return true;
        }

        @Override
        public Boolean onSubmit(YarnSubmissionEffect.Submit effect) {
            run(
                    () -> {
                        work.submit(effect.application());
                        return true;
                    },
                    done -> perform(submission.submitted()),
                    failure -> perform(
                            submission.submitFailed(hearth(failure), SubmissionFailures.isAnswerLost(failure))));
            return true;
        }

        @Override
        public Boolean onUndo(YarnSubmissionEffect.Undo effect) {
            run(
                    () -> {
                        work.undo(effect.application(), effect.kill());
                        return true;
                    },
                    done -> perform(submission.undone()),
                    failure -> {
                        listener.said("warning: files of " + effect.application() + " are left on the cluster: "
                                + Failures.describe(failure));
                        perform(submission.undone());
                    });
            return true;
        }

        @Override
        public Boolean onSay(YarnSubmissionEffect.Say effect) {
            listener.said(effect.line());
            return true;
        }

        @Override
        public Boolean onAccept(YarnSubmissionEffect.Accept effect) {
            accepted.complete(new SubmissionId(effect.application()));
            if (!settings.waits()) {
                close();
            }
            return true;
        }

        @Override
        public Boolean onWatch(YarnSubmissionEffect.Watch effect) {
            new FollowingShell(effect.application()).ask();
            sweeping = true;
            run(
                    work::sweep,
                    YarnSubmissionShell.this::swept,
                    failure -> swept(Optional.of("warning: store: not swept: " + Failures.describe(failure))));
            return true;
        }

        @Override
        public Boolean onFail(YarnSubmissionEffect.Fail effect) {
            close();
            if (!accepted.completeExceptionally(effect.why())) {
                listener.lost(String.valueOf(effect.why().getMessage()));
            }
            return true;
        }
    }

    /** Asks for reports until the application is over. */
    private final class FollowingShell {
        private final String application;
        private final ApplicationFollowing following;
        private Map<String, String> logs = Map.of();

        FollowingShell(String application) {
            this.application = application;
            this.following = new ApplicationFollowing(application, settings);
        }

        /** Report with the addresses of the driver's logs. */
        private record Answer(Optional<ClusterReport> report, Map<String, String> logs) {}

        void ask() {
            run(this::report, this::reported, failure -> step(following.failed(Failures.describe(failure)), false));
        }

        private Answer report() throws IOException {
            Optional<ClusterReport> report = work.report(application);
            boolean runs = report.isPresent() && report.get().state() == ClusterReport.State.RUNNING;
            return new Answer(report, runs && logs.isEmpty() ? work.driverLogs(report.get()) : logs);
        }

        private void reported(Answer answer) {
            logs = answer.logs();
            if (answer.report().isEmpty()) {
                step(following.unknown(), true);
                return;
            }
            ClusterReport report = answer.report().get();
            if (report.state() == ClusterReport.State.FAILED && DriverWords.lackFiles(report.diagnostics())) {
                Optional<List<YarnSubmissionEffect>> again = submission.filesVanished();
                if (again.isPresent()) {
                    perform(again.get());
                    return;
                }
            }
            step(
                    following.reported(report, logs, loop.ticker().nanos()),
                    report.state().isFinal());
        }

        private void step(FollowingStep step, boolean ended) {
            step.lines().forEach(listener::said);
            if (step.next().isPresent()) {
                step.status().ifPresent(listener::changed);
                loop.schedule(step.next().get(), this::ask);
                return;
            }
            if (!ended) {
                step.lost().ifPresent(listener::lost);
                close();
                return;
            }
            // the process ends with the last status: first what is left of the application goes
            run(
                    () -> {
                        work.cleanUp(application);
                        return true;
                    },
                    done -> end(step),
                    failure -> {
                        listener.said("warning: files of " + application + " are left on the cluster: "
                                + Failures.describe(failure));
                        end(step);
                    });
        }

        private void end(FollowingStep step) {
            close();
            step.status().ifPresent(listener::changed);
        }
    }
}
