package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.CommandOutput;
import dev.hearth.shell.gogo.answer.FieldList;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.cluster.ClusterConnection;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.settings.Settings;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    private static final Logger LOG = LoggerFactory.getLogger(SubmissionCommands.class);
    private static final String MASTER = "hearth.master";

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable ClusterManagers managers;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable RpcEnvFactory rpcs;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable KernelInfo kernel;

    /** Request to a cluster manager about submissions, such as for their states. */
    private interface Question {
        CompletionStage<List<SubmissionStatus>> ask(
                ClusterManager manager, SubmissionPattern submissions, MasterUrl master, SubmissionServices services);
    }

    @Descriptor("""
            Shows the state of an application submitted to a cluster.
            status SUBMISSION [MASTER] [--json]   SUBMISSION: id, or pattern with * and ?; MASTER: URL, default hearth.master
            Example: status 'driver-*' hearth://127.0.0.1:7077""")
    public void status(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = CommandCall.of(session, "status", arguments, 2);
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
            kill SUBMISSION [MASTER] [--json]   SUBMISSION: id, or pattern with * and ?; MASTER: URL, default hearth.master
            Example: kill driver-20261119064500-0000 hearth://127.0.0.1:7077""")
    public void kill(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = CommandCall.of(session, "kill", arguments, 2);
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
        KernelInfo process = call.need(kernel, KernelInfo.class);
        Settings settings = process.settings();
        MasterUrl master = MasterUrl.parse(call.word(1)
                .or(() -> settings.find(MASTER))
                .orElseThrow(() -> call.misused(
                        "no master (expected: its URL after the submission, or the setting " + MASTER + ")")));
        try (PinnedManager pinned =
                        call.need(managers, ClusterManagers.class).pin(master, "question about " + submissions);
                ClusterConnection connection = ClusterConnection.open(
                        call.need(rpcs, RpcEnvFactory.class),
                        settings,
                        process.home(),
                        new CompletableFuture<>(),
                        failure -> LOG.error("submission", failure))) {
            pinned.manager().validate(master);
            return connection.call(services -> question.ask(pinned.manager(), submissions, master, services));
        }
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
