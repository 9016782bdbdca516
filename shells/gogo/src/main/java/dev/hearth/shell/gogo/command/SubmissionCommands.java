package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.CommandOutput;
import dev.hearth.shell.gogo.answer.FieldList;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
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
            Shows the state of an application submitted to a cluster.
            status SUBMISSION [--master URL] [--json]   SUBMISSION: id, or pattern with * and ?""")
    public void status(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = CommandCall.of(session, "status", arguments, 2, MASTER + "=");
        SubmissionPattern submissions = submissions(call);
        List<SubmissionStatus> found = ask(call, submissions, ClusterManager::status);
        if (submissions.single().isEmpty()) {
            call.answer(table(found).build("no submission matches " + submissions));
            return;
        }
        for (SubmissionStatus status : found) {
            call.answer(fields(status));
        }
    }

    private static FieldList fields(SubmissionStatus status) {
        FieldList.Builder answer = FieldList.begin()
                .fact("submission", OutputValue.of(status.submission().value()))
                .fact("state", state(status))
                .fact("host", OutputValue.of(status.placement()));
        status.exitStatus().ifPresent(exit -> answer.fact("exitStatus", OutputValue.of(exit)));
        if (status.attempt() > 1) {
            answer.fact("attempt", OutputValue.of(status.attempt()));
        }
        if (!status.message().isEmpty()) {
            answer.fact("message", OutputValue.of(status.message()));
        }
        status.links().forEach((name, url) -> answer.fact(name, OutputValue.of(url)));
        return answer.build();
    }

    private static Table.Builder table(List<SubmissionStatus> found) {
        Table.Builder table = Table.of("submission", "state", "host", "exitStatus", "message");
        for (SubmissionStatus status : found) {
            table.row(
                    OutputValue.of(status.submission().value()),
                    state(status),
                    OutputValue.of(status.placement()),
                    OutputValue.of(
                            status.exitStatus().isPresent()
                                    ? String.valueOf(status.exitStatus().getAsInt())
                                    : ""),
                    OutputValue.of(status.message()));
        }
        return table;
    }

    @Descriptor("""
            Kills an application submitted to a cluster.
            kill SUBMISSION [--master URL] [--json]   SUBMISSION: id, or pattern with * and ?""")
    public void kill(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = CommandCall.of(session, "kill", arguments, 2, MASTER + "=");
        SubmissionPattern submissions = submissions(call);
        List<SubmissionStatus> found = ask(call, submissions, ClusterManager::kill);
        List<String> lines = found.stream()
                .map(before -> before.submission() + ": was " + before.state()
                        + (before.state().isFinal() ? "; nothing to kill" : "; kill requested"))
                .toList();
        call.answer(CommandOutput.words(
                "killed", lines.isEmpty() ? "no submission matches " + submissions : String.join("\n", lines)));
    }

    private List<SubmissionStatus> ask(CommandCall call, SubmissionPattern submissions, Question question)
            throws InterruptedException {
        Optional<String> master = call.option(MASTER).or(() -> call.word(1));
        return clusters.ask(
                call,
                master,
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

    private static OutputValue state(SubmissionStatus status) {
        OutputValue value = OutputValue.of(status.state().name().toLowerCase(Locale.ROOT));
        return switch (status.state()) {
            case FAILED, ERROR, KILLED -> value.bad();
            case FINISHED -> value.good();
            case SUBMITTED, RUNNING, RELAUNCHING, UNKNOWN -> value;
        };
    }
}
