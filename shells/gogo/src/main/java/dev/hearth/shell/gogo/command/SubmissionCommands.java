package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.CommandOutput;
import dev.hearth.shell.gogo.answer.FieldList;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.spi.cluster.ClusterConnection;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.settings.Settings;
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

    /** Request to a cluster manager about one submission, such as for its state. */
    private interface Question {
        CompletionStage<SubmissionStatus> ask(
                ClusterManager manager, SubmissionId submission, MasterUrl master, SubmissionServices services);
    }

    @Descriptor("""
            Shows the state of an application submitted to a cluster.
            status SUBMISSION [MASTER] [--json]   MASTER: its URL, default hearth.master""")
    public void status(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = CommandCall.of(session, "status", arguments, 2);
        SubmissionStatus status = ask(call, ClusterManager::status);
        FieldList.Builder answer = FieldList.begin()
                .fact("submission", OutputValue.of(status.submission().value()))
                .fact("state", state(status))
                .fact("host", OutputValue.of(status.placement()));
        status.exitStatus().ifPresent(exit -> answer.fact("exitStatus", OutputValue.of(exit)));
        if (!status.message().isEmpty()) {
            answer.fact("message", OutputValue.of(status.message()));
        }
        call.answer(answer.build());
    }

    @Descriptor("""
            Kills an application submitted to a cluster.
            kill SUBMISSION [MASTER] [--json]   MASTER: its URL, default hearth.master""")
    public void kill(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = CommandCall.of(session, "kill", arguments, 2);
        SubmissionStatus before = ask(call, ClusterManager::kill);
        call.answer(CommandOutput.words(
                "killed",
                before.submission() + ": was " + before.state()
                        + (before.state().isFinal() ? "; nothing to kill" : "; kill requested")));
    }

    private SubmissionStatus ask(CommandCall call, Question question) throws InterruptedException {
        SubmissionId submission = submission(call);
        KernelInfo process = call.need(kernel, KernelInfo.class);
        Settings settings = process.settings();
        MasterUrl master = MasterUrl.parse(call.word(1)
                .or(() -> settings.find(MASTER))
                .orElseThrow(() -> call.misused(
                        "no master (expected: its URL after the submission, or the setting " + MASTER + ")")));
        try (PinnedManager pinned =
                        call.need(managers, ClusterManagers.class).pin(master, "question about " + submission);
                ClusterConnection connection = ClusterConnection.open(
                        call.need(rpcs, RpcEnvFactory.class),
                        settings,
                        process.home(),
                        new CompletableFuture<>(),
                        failure -> LOG.error("submission", failure))) {
            pinned.manager().validate(master);
            return connection.call(services -> question.ask(pinned.manager(), submission, master, services));
        }
    }

    private static SubmissionId submission(CommandCall call) {
        String text = call.need(0, "submission");
        try {
            return new SubmissionId(text);
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
