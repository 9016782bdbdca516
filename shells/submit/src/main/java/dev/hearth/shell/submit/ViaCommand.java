package dev.hearth.shell.submit;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.submission.api.SubmissionRequest;
import dev.hearth.submission.api.SubmitArguments;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Executes one request of the {@code submit} command line through another process. Prints the lines of bin/submit, and has
 * its exit statuses. Used by one thread.
 */
record ViaCommand(
        PrintStream out,
        PrintStream err,
        InstalledRules rules,
        SubmitStyle style,
        boolean terminal,
        EndSignals signals,
        ViaAddress address,
        ViaServer server,
        Optional<String> master)
        implements SubmissionRequest.Handler<ExitStatus> {
    /** Pauses between questions: short at first, as many drivers start at once. */
    private static final long LOOK_MIN_MILLIS = 100;

    private static final long LOOK_MAX_MILLIS = 1_000;
    /** Questions in a row without an answer, after which the cluster counts as lost. */
    private static final int FAILURES_MAX = 60;

    @Override
    public ExitStatus onSubmit(SubmissionRequest.Submit request) throws InterruptedException, IOException {
        SubmissionPlan plan = request.plan();
        if (request.verbose()) {
            err.print(PrintableText.lines(SubmissionDescription.describe(request)));
        }
        if (ViaUploads.areWanted(plan)) {
            plan = new ViaUploads(address, server, line -> err.println("warning: " + line)).send(plan);
        }
        String id = plan.requestId().isEmpty() ? UUID.randomUUID().toString() : plan.requestId();
        boolean follows = style == SubmitStyle.HEARTH || waits(request);
        SubmissionProgress progress = new SubmissionProgress(out, err, style, follows, false);
        try (Interruption interruption = new Interruption(signals)) {
            progress.accepted(server.create(ViaRequestBody.of(plan, master), id));
            SubmissionId submission = progress.submission().orElseThrow();
            if (!waits(request)) {
                tell(submission, progress);
                return ExitStatus.of(ExitCode.OK);
            }
            CompletableFuture<Void> interrupted = interruption.firstOr(new CompletableFuture<>());
            Optional<SubmissionStatus> end = follow(submission, progress, interrupted);
            if (end.isPresent()) {
                return new DriverEnd(out, err, style).report(end.get());
            }
            return new Detachment("bin/submit --via " + address, err, terminal, Detachment.AGAIN)
                    .detach(interruption.signal().orElseThrow(), Optional.of(submission), interruption, this::kill);
        }
    }

    private boolean waits(SubmissionRequest.Submit request) {
        String setting = rules.rules().rules(request.master().scheme()).waitSetting();
        if (!request.waits() || setting.isEmpty()) {
            return request.waits();
        }
        SettingsReader in = new SettingsReader(request.plan().settings());
        boolean byDefault = style.waitsByDefault(request.master().scheme());
        boolean waits = in.read(SettingKey.flag(setting, byDefault, "Whether to wait for the end."));
        in.finish();
        return waits;
    }

    /** Prints the state of an accepted submission, or why it is unknown; the submission itself has succeeded. */
    private void tell(SubmissionId submission, SubmissionProgress progress) {
        try {
            server.status(submission).ifPresent(progress::tell);
        } catch (IOException | HearthException failure) {
            err.println(PrintableText.line("warning: state of " + submission + ": unknown: " + failure.getMessage()));
        }
    }

    /** Looks at a submission until it has ended. Empty if a signal came first. */
    private Optional<SubmissionStatus> follow(
            SubmissionId submission, SubmissionProgress progress, CompletableFuture<Void> interrupted)
            throws InterruptedException {
        long pause = LOOK_MIN_MILLIS;
        int failures = 0;
        while (!interrupted.isDone()) {
            try {
                Optional<SubmissionStatus> status = server.status(submission);
                failures = 0;
                SubmissionStatus found = status.orElseThrow(() -> unknown(new SubmissionPattern(submission.value())));
                progress.changed(found);
                if (found.state().isFinal()) {
                    return Optional.of(found);
                }
            } catch (IOException lost) {
                failures++;
                requireAnswers(submission, failures, String.valueOf(lost.getMessage()));
            } catch (HearthException refused) {
                failures++;
                boolean isLasting = !refused.code().equals(ErrorCode.SUBMISSION_REFUSED.name())
                        && !refused.code().equals(ErrorCode.CLUSTER_UNREACHABLE.name())
                        && !refused.code().equals(ErrorCode.CLUSTER_LOST.name());
                if (isLasting) {
                    throw refused;
                }
                requireAnswers(submission, failures, refused.getMessage());
            }
            try {
                interrupted.get(pause, TimeUnit.MILLISECONDS);
            } catch (TimeoutException next) {
                pause = Math.min(LOOK_MAX_MILLIS, pause + LOOK_MIN_MILLIS);
            } catch (ExecutionException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        return Optional.empty();
    }

    private void requireAnswers(SubmissionId submission, int failures, String why) {
        if (failures >= FAILURES_MAX) {
            throw ErrorCode.CLUSTER_LOST.failure("server " + address + ": " + failures + " questions about "
                    + submission + " without an answer: " + why + " (expected: its state); ask with --status");
        }
    }

    private SubmissionStatus kill(SubmissionId submission) {
        return answered(() -> {
            SubmissionStatus before =
                    server.status(submission).orElseThrow(() -> unknown(new SubmissionPattern(submission.value())));
            if (!before.state().isFinal()) {
                server.kill(submission);
            }
            return before;
        });
    }

    private interface Question<T> {
        T ask() throws IOException;
    }

    private <T> T answered(Question<T> question) {
        try {
            return question.ask();
        } catch (IOException failure) {
            throw server.unreachable(failure);
        }
    }

    private HearthException unknown(SubmissionPattern submission) {
        return ErrorCode.SUBMISSION_UNKNOWN.failure("submission '" + submission + "': not known to " + address
                + " (expected: a submission of its cluster)");
    }

    @Override
    public ExitStatus onStatus(SubmissionRequest.Status request) throws IOException {
        AnswerPrinter printer = printer(request.submissions(), request.json());
        Optional<SubmissionStatus> found = answered(() -> server.status(single(request.submissions())));
        if (found.isEmpty()) {
            printer.unknownStatus();
            throw unknown(request.submissions());
        }
        printer.status(List.of(found.get()));
        return ExitStatus.of(ExitCode.OK);
    }

    @Override
    public ExitStatus onKill(SubmissionRequest.Kill request) throws IOException {
        AnswerPrinter printer = printer(request.submissions(), request.json());
        SubmissionId submission = single(request.submissions());
        try {
            printer.kill(List.of(kill(submission)));
        } catch (HearthException failure) {
            if (failure.code().equals(ErrorCode.SUBMISSION_UNKNOWN.name())) {
                printer.unknownKill();
            }
            throw failure;
        }
        return ExitStatus.of(ExitCode.OK);
    }

    private AnswerPrinter printer(SubmissionPattern asked, boolean json) throws IOException {
        return new AnswerPrinter(out, err, AnswerPrinter.Form.of(style, json, false), asked, SubmitCommand.version());
    }

    private static SubmissionId single(SubmissionPattern pattern) {
        return pattern.single()
                .map(id -> new SubmissionId(pattern.text()))
                .orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure("submission '" + pattern
                        + "': a pattern (expected: one id with --via);" + " leave --via out to ask about several"));
    }

    @Override
    public ExitStatus onHelp(SubmissionRequest.Help request) {
        (request.isError() ? err : out).print(SubmitArguments.usage(rules));
        return ExitStatus.of(request.isError() ? ExitCode.FAILED : ExitCode.OK);
    }

    @Override
    public ExitStatus onVersion(SubmissionRequest.Version request) throws IOException {
        out.println("hearth " + SubmitCommand.version() + ", Java "
                + Runtime.version().feature());
        return ExitStatus.of(ExitCode.OK);
    }

    /** The master that the user names; empty if the settings have only that of {@code unnamed}. */
    static Optional<String> named(Settings settings, String key, String unnamed) {
        return settings.find(key).filter(url -> !url.equals(unnamed));
    }
}
