package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.monitor.RunningApplications;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
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

/** Commands that list what a cluster has and runs. Created for each call; stateless. */
@Component(
        service = ClusterCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Cluster",
            CommandProcessor.COMMAND_FUNCTION + "=workers",
            CommandProcessor.COMMAND_FUNCTION + "=applications",
            CommandProcessor.COMMAND_FUNCTION + "=executors",
            CommandProcessor.COMMAND_FUNCTION + "=drivers"
        })
public final class ClusterCommands {
    static final String APPLICATION = "--application";
    static final String STATE = "--state";
    private static final String MASTER = "--master";
    private static final String USER = "--user";
    private static final String ALL = "--all";

    private final ClusterAccess clusters;
    private final RepeatedAnswer.Pause pause;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable RunningApplications applications;

    @Activate
    public ClusterCommands(@Reference ClusterAccess clusters) {
        this(clusters, RepeatedAnswer::pause);
    }

    ClusterCommands(ClusterAccess clusters, RepeatedAnswer.Pause pause) {
        this.clusters = clusters;
        this.pause = pause;
    }

    @Descriptor("""
            Lists the workers of a cluster, lost ones included.
            workers [--state STATE] [--master URL] [--watch [--times N]] [--json]
            STATE: alive, dead, decommissioned, unknown.
            Example: workers --state alive --watch""")
    public void workers(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = call(session, "workers", arguments, 0);
        Optional<WorkerEntry.State> state = state(call, WorkerEntry.State.values());
        list(
                call,
                ClusterView::workers,
                found -> ClusterTables.workers(found.only(worker -> state.isEmpty() || worker.state() == state.get())));
    }

    @Descriptor("""
            Lists the applications of a cluster, running and ended.
            applications [--state STATE] [--user NAME] [--master URL] [--watch [--times N]] [--json]
            STATE: waiting, running, finished, failed, killed, unknown.
            Example: applications --master hearth://127.0.0.1:7077 --json""")
    public void applications(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = call(session, "applications", arguments, 0, USER + "=");
        Optional<ApplicationEntry.State> state = state(call, ApplicationEntry.State.values());
        Optional<String> user = call.option(USER);
        list(
                call,
                ClusterView::applications,
                found -> ClusterTables.applications(
                        found.only(application -> (state.isEmpty() || application.state() == state.get())
                                && (user.isEmpty() || application.user().equals(user.get())))));
    }

    @Descriptor("""
            Lists the executors of a cluster or of one application; with --all also ended ones.
            In a driver, those of its applications with their tasks.
            executors [APPLICATION] [--all] [--state STATE] [--master URL] [--watch [--times N]] [--json]
            STATE: launching, running, killed, failed, lost, exited, decommissioned, unknown.""")
    public void executors(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = call(session, "executors", arguments, 1, ALL, APPLICATION + "=");
        Optional<ExecutorEntry.State> state = state(call, ExecutorEntry.State.values());
        List<RunningApplication> own = ApplicationLookup.present(applications);
        if (!own.isEmpty() && state.isEmpty() && call.option(MASTER).isEmpty()) {
            List<RunningApplication> chosen = call.option(APPLICATION)
                    .or(() -> call.word(0))
                    .map(id -> List.of(ApplicationLookup.named(call, applications, id)))
                    .orElse(own);
            new RepeatedAnswer(call, pause).give(() -> ApplicationExecutors.table(chosen, call.has(ALL)));
            return;
        }
        Optional<ApplicationId> application = application(call);
        list(
                call,
                view -> view.executors(application),
                found -> ClusterTables.executors(
                        found.only(executor -> state.isPresent()
                                ? executor.state() == state.get()
                                : call.has(ALL) || !executor.state().isFinal()),
                        call.has(ALL) || state.isPresent()));
    }

    @Descriptor("""
            Lists the drivers of applications submitted to a cluster, running and ended.
            drivers [--state STATE] [--master URL] [--watch [--times N]] [--json]
            STATE: submitted, running, finished, relaunching, unknown, killed, failed, error.""")
    public void drivers(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = call(session, "drivers", arguments, 0);
        Optional<SubmissionState> state = state(call, SubmissionState.values());
        list(
                call,
                ClusterView::drivers,
                found -> ClusterTables.drivers(found.only(driver -> state.isEmpty() || driver.state() == state.get())));
    }

    private <T> void list(
            CommandCall call,
            Function<ClusterView, CompletionStage<ClusterListing<T>>> question,
            Function<ClusterListing<T>, Table> table)
            throws InterruptedException {
        try (ClusterAccess.OpenView view = clusters.open(call, call.option(MASTER), "list of a cluster")) {
            new RepeatedAnswer(call, pause).give(() -> table.apply(view.ask(question)));
        }
    }

    private static CommandCall call(
            CommandSession session, String command, String[] arguments, int wordsMax, String... own) {
        String[] common = {STATE + "=", MASTER + "=", RepeatedAnswer.WATCH, RepeatedAnswer.TIMES + "="};
        return CommandCall.of(
                session,
                command,
                arguments,
                wordsMax,
                Stream.concat(Stream.of(own), Stream.of(common)).toArray(String[]::new));
    }

    private static Optional<ApplicationId> application(CommandCall call) {
        try {
            return call.option(APPLICATION).or(() -> call.word(0)).map(ApplicationId::new);
        } catch (IllegalArgumentException malformed) {
            throw call.misused(String.valueOf(malformed.getMessage()));
        }
    }

    private static <S extends Enum<S>> Optional<S> state(CommandCall call, S[] states) {
        return call.option(STATE)
                .map(text -> Stream.of(states)
                        .filter(state -> state.name().equalsIgnoreCase(text))
                        .findFirst()
                        .orElseThrow(() -> call.misused("state '" + text + "' (expected: one of "
                                + Stream.of(states)
                                        .map(state -> state.name().toLowerCase(Locale.ROOT))
                                        .toList()
                                + ")")));
    }
}
