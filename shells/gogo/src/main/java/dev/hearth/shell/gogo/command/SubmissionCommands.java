package dev.hearth.shell.gogo.command;

import dev.hearth.api.HearthException;
import dev.hearth.shell.gogo.answer.CommandOutput;
import dev.hearth.shell.gogo.answer.FieldList;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.shell.gogo.answer.Units;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.cluster.SubmissionTimes;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.SubmissionId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Commands that query or kill an application in cluster mode, through the cluster manager of its master URL. Created
 * for each call; stateless.
 */
@Component(
        service = SubmissionCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Cluster",
            CommandProcessor.COMMAND_FUNCTION + "=status",
            CommandProcessor.COMMAND_FUNCTION + "=kill"
        })
public final class SubmissionCommands {
    private static final String MASTER = "--master";

    private final ClusterAccess clusters;

    @Activate
    public SubmissionCommands(@Reference ClusterAccess clusters) {
        this.clusters = clusters;
    }

    /** Request to a cluster manager about submissions, such as for their states. */
    private interface Question {
        CompletionStage<List<SubmissionStatus>> ask(
                ClusterManager manager, SubmissionPattern submissions, MasterUrl master, SubmissionServices services);
    }

    @Descriptor("""
            Shows the state of a submission to a cluster, or of an application that runs on it.
            status SUBMISSION|APPLICATION [--master URL] [--json]   SUBMISSION: id, or pattern with * and ?
            Example: status 'driver-*' --master hearth://127.0.0.1:7077""")
    public void status(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = CommandCall.of(session, "status", arguments, 2, MASTER + "=");
        SubmissionPattern submissions = submissions(call);
        Optional<SubmissionId> single = submissions.single();
        if (single.isEmpty()) {
            call.answer(table(ask(call, submissions, ClusterManager::status))
                    .build("no submission matches " + submissions));
            return;
        }
        List<SubmissionStatus> found;
        try {
            found = ask(call, submissions, ClusterManager::status);
        } catch (HearthException unknown) {
            call.answer(ClusterTables.application(application(call, unknown, single.get())));
            return;
        }
        found.forEach(status -> call.answer(fields(status)));
    }

    private static FieldList fields(SubmissionStatus status) {
        FieldList.Builder answer = FieldList.begin()
                .fact("submission", OutputValue.of(status.submission().value()))
                .fact("state", ClusterTables.state(status.state()))
                .fact("host", OutputValue.of(status.placement()));
        status.exitStatus().ifPresent(exit -> answer.fact("exitStatus", OutputValue.of(exit)));
        SubmissionTimes times = status.times();
        time(answer, "submitted", times.submittedMillis());
        time(answer, "started", times.startedMillis());
        time(answer, "ended", times.endedMillis());
        if (status.attempt() > 1) {
            answer.fact("attempt", OutputValue.of(status.attempt()));
        }
        if (!status.message().isEmpty()) {
            answer.fact("message", OutputValue.of(status.message()));
        }
        status.links().forEach((name, url) -> answer.fact(name, OutputValue.of(url)));
        return answer.build();
    }

    private static void time(FieldList.Builder answer, String name, OptionalLong millis) {
        if (millis.isPresent()) {
            OutputValue time = Units.time(millis);
            answer.fact(name, time.field(name + "Millis", time));
        }
    }

    private static Table.Builder table(List<SubmissionStatus> found) {
        Table.Builder table = Table.of("submission", "state", "host", "exitStatus", "message");
        for (SubmissionStatus status : found) {
            table.row(
                    OutputValue.of(status.submission().value()),
                    ClusterTables.state(status.state()),
                    OutputValue.of(status.placement()),
                    OutputValue.of(status.exitStatus()),
                    OutputValue.of(status.message()));
        }
        return table;
    }

    @Descriptor("""
            Kills the driver of a submission to a cluster, or an application that runs on it.
            kill SUBMISSION|APPLICATION [--master URL] [--json]   SUBMISSION: id, or pattern with * and ?
            Example: kill driver-20261119064500-0000 --master hearth://127.0.0.1:7077""")
    public void kill(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = CommandCall.of(session, "kill", arguments, 2, MASTER + "=");
        SubmissionPattern submissions = submissions(call);
        List<String> lines;
        try {
            lines = ask(call, submissions, ClusterManager::kill).stream()
                    .map(before -> outcome(
                            before.submission().value(),
                            before.state(),
                            before.state().isFinal()))
                    .toList();
        } catch (HearthException unknown) {
            if (submissions.single().isEmpty()) {
                throw unknown;
            }
            ApplicationEntry before =
                    application(call, unknown, submissions.single().get());
            if (!before.state().isFinal()) {
                onView(call, view -> view.kill(before.id(), "from the shell, by " + System.getProperty("user.name")));
            }
            lines = List.of(
                    outcome(before.id().value(), before.state(), before.state().isFinal()));
        }
        call.answer(CommandOutput.words(
                "killed", lines.isEmpty() ? "no submission matches " + submissions : String.join("\n", lines)));
    }

    private static String outcome(String id, Enum<?> before, boolean ended) {
        return id + ": was " + before + (ended ? "; nothing to kill" : "; kill requested");
    }

    /**
     * Returns the application whose id a user gave instead of that of a submission. Fails with {@code noSubmission} if
     * there is none.
     */
    private ApplicationEntry application(CommandCall call, HearthException noSubmission, SubmissionId given)
            throws InterruptedException {
        ErrorCode why = Failures.code(noSubmission);
        if (why != ErrorCode.SUBMISSION_UNKNOWN && why != ErrorCode.DEPLOY_MODE_UNKNOWN) {
            throw noSubmission;
        }
        return onView(call, ClusterView::applications).entries().stream()
                .filter(application -> application.id().value().equals(given.value()))
                .findFirst()
                .orElseThrow(() -> noSubmission);
    }

    private <T> T onView(CommandCall call, Function<ClusterView, CompletionStage<T>> question)
            throws InterruptedException {
        try (ClusterAccess.OpenView view = clusters.open(call, master(call), "question about an application")) {
            return view.ask(question);
        }
    }

    private static Optional<String> master(CommandCall call) {
        return call.option(MASTER).or(() -> call.word(1));
    }

    private List<SubmissionStatus> ask(CommandCall call, SubmissionPattern submissions, Question question)
            throws InterruptedException {
        return clusters.ask(
                call,
                master(call),
                "question about " + submissions,
                (manager, url, services) -> question.ask(manager, submissions, url, services));
    }

    private static SubmissionPattern submissions(CommandCall call) {
        String text = call.need(0, "submission");
        try {
            return new SubmissionPattern(text);
        } catch (IllegalArgumentException malformed) {
            throw ErrorCode.BAD_ARGUMENT.failure(malformed.getMessage(), malformed);
        }
    }
}
