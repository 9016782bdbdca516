package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.CommandOutput;
import dev.hearth.shell.gogo.answer.FieldList;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.cluster.FlagRule;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionGateway;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.time.Pauses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Commands that submit applications through the gateway of this process, and show what the gateway does. Created for each
 * call; stateless.
 */
@Component(
        service = GatewayCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Cluster",
            CommandProcessor.COMMAND_FUNCTION + "=submit",
            CommandProcessor.COMMAND_FUNCTION + "=submissions"
        })
public final class GatewayCommands {
    private static final String WAIT = "--wait";
    private static final String JSON = "--json";
    private static final String REQUEST = "--request-id";
    private static final String MASTER = "--master";
    private static final long LOOK_MILLIS = 500;

    private final Pauses pauses;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable SubmissionGateway gateway;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable InstalledRules rules;

    @Activate
    public GatewayCommands() {
        this(Pauses.real());
    }

    GatewayCommands(Pauses pauses) {
        this.pauses = pauses;
    }

    @Descriptor("""
            Submits an application in cluster mode and prints its id; --wait follows it to its end.
            submit [--wait] [--json] [--request-id ID] [flags of bin/submit] JAR [arguments]
            Example: submit --wait --master hearth://127.0.0.1:7077 --class example.Main /opt/app.jar 10""")
    public void submit(CommandSession session, String[] arguments) throws InterruptedException {
        List<String> own = new ArrayList<>();
        List<String> words = new ArrayList<>(Arrays.asList(arguments));
        while (!words.isEmpty() && isOwn(words.get(0))) { // the others belong to the submission
            String first = words.remove(0);
            own.add(first);
            if (first.equals(REQUEST) && !words.isEmpty()) {
                own.add(words.remove(0));
            }
        }
        CommandCall call = CommandCall.of(session, "submit", own.toArray(String[]::new), 0, WAIT, REQUEST + "=");
        if (words.isEmpty()) {
            throw call.misused("no application (expected: a jar, after the flags of bin/submit)");
        }
        SubmissionGateway present = gateway(call);
        SubmissionId id = await(present.submit(
                words, Settings.empty(), Map.of(), call.option(REQUEST).orElse("")));
        if (!call.has(WAIT)) {
            call.answer(CommandOutput.words("submission", id.value()));
            return;
        }
        SubmissionStatus ended = end(call, present, id, master(words).orElseGet(present::master));
        FieldList.Builder answer = FieldList.begin()
                .fact("submission", OutputValue.of(id.value()))
                .fact("state", ClusterTables.state(ended.state()))
                .fact("host", OutputValue.of(ended.placement()));
        ended.exitStatus().ifPresent(exit -> answer.fact("exitStatus", OutputValue.of(exit)));
        answer.fact("message", OutputValue.of(ended.message())).fact("output", OutputValue.of(ended.output()));
        call.answer(answer.build());
        if (ended.state() != SubmissionState.FINISHED) {
            throw ErrorCode.APPLICATION_FAILED.failure(
                    "submission " + id + ": " + ended.state() + ", " + ended.message() + " (expected: FINISHED)");
        }
    }

    private static boolean isOwn(String word) {
        return word.equals(WAIT) || word.equals(JSON) || word.equals(REQUEST) || word.startsWith(REQUEST + "=");
    }

    /** The master that the words of a submission name before its jar; the words after the jar are the application's. */
    private Optional<MasterUrl> master(List<String> words) {
        InstalledRules present = rules;
        SubmissionRuleTable table = present == null ? SubmissionRuleTable.EMPTY : present.allRules();
        Optional<String> named = Optional.empty();
        Iterator<String> rest = words.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            int equals = word.indexOf('=');
            String flag = equals < 0 ? word : word.substring(0, equals);
            if (!word.startsWith("-")) {
                break;
            }
            boolean takesValue =
                    table.anyFlag(flag).map(FlagRule::takesValue).orElse(true); // the gateway has accepted the flag
            String value = equals >= 0 ? word.substring(equals + 1) : takesValue && rest.hasNext() ? rest.next() : "";
            if (flag.equals(MASTER)) {
                named = Optional.of(value);
            }
        }
        return named.map(MasterUrl::parse);
    }

    /** Looks at the submission until it has ended; prints each state at a terminal. */
    private SubmissionStatus end(CommandCall call, SubmissionGateway present, SubmissionId id, MasterUrl master)
            throws InterruptedException {
        SubmissionState last = SubmissionState.SUBMITTED;
        if (!call.isJson()) {
            call.err().println(id + ": submitted");
        }
        while (true) {
            SubmissionStatus now = await(present.status(new SubmissionPattern(id.value()), master)).stream()
                    .findFirst()
                    .orElseThrow(() -> ErrorCode.SUBMISSION_UNKNOWN.failure("submission " + id + ": no longer known on "
                            + master + " (expected: a submission of that cluster)"));
            if (now.state().isFinal()) {
                return now;
            }
            if (now.state() != last && !call.isJson()) {
                call.err().println(id + ": " + ClusterTables.state(now.state()).shown());
            }
            last = now.state();
            pauses.millis(LOOK_MILLIS);
        }
    }

    private SubmissionGateway gateway(CommandCall call) {
        SubmissionGateway present = gateway;
        if (present == null) {
            throw call.impossible("this process takes no submissions (expected: a master, or bin/hearth serve); name"
                    + " one by --to HOST:PORT, or use bin/submit");
        }
        return present;
    }

    @Descriptor("""
            Shows what this process has submitted for others by REST and shells, for each cluster.
            submissions [--json]   IN PROGRESS: requests now; the other numbers count since the start
            Example: submissions""")
    public void submissions(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "submissions", arguments, 0);
        Table.Builder table = Table.of("master", "inProgress", "accepted", "refused", "failed", "connected");
        for (SubmissionGateway.ClusterCounts counts : gateway(call).counts()) {
            table.row(
                    OutputValue.of(counts.master()),
                    OutputValue.of(counts.inProgress()),
                    OutputValue.of(counts.accepted()),
                    OutputValue.of(counts.refused()),
                    OutputValue.of(counts.failed()),
                    OutputValue.of(counts.connected()));
        }
        call.answer(table.build("nothing was submitted through this process"));
    }

    private static <T> T await(CompletionStage<T> stage) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException failure) {
            throw Failures.asHearth(failure, ErrorCode.INTERNAL, "submission");
        }
    }
}
