package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.CommandOutput;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.monitor.JobView;
import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.monitor.RunningApplications;
import dev.hearth.spi.monitor.StageView;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Commands that show and control the applications of this process. A new object is created for each call of a command;
 * stateless.
 */
@Component(
        service = ApplicationCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Jobs",
            CommandProcessor.COMMAND_FUNCTION + "=jobs",
            CommandProcessor.COMMAND_FUNCTION + "=stages",
            CommandProcessor.COMMAND_FUNCTION + "=cancel",
            CommandProcessor.COMMAND_FUNCTION + "=decommission"
        })
public final class ApplicationCommands {
    static final List<String> KINDS = List.of("job", "stage", "group", "tag", "all");
    private static final String ALL = "--all";
    private static final String MASTER = "--master";
    private static final String REASON = "--reason";
    private static final String DECOMMISSIONED = "decommissioned from the shell";
    private static final String REASON_DEFAULT = "cancelled from the shell";

    private final Clock clock = Clock.systemUTC();
    private final RepeatedAnswer.Pause pause = RepeatedAnswer::pause;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable RunningApplications applications;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable ClusterAccess clusters;

    @Descriptor("""
            Lists running jobs; with --all also ended ones.
            jobs [APPLICATION] [--all] [--watch [--times N]] [--json]
            Example: jobs --all""")
    public void jobs(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = call(session, "jobs", arguments);
        new RepeatedAnswer(call, pause).give(() -> jobs(call));
    }

    private Table jobs(CommandCall call) {
        Table.Builder table = Table.of("application", "job", "state", "name", "stages", "tasks", "took", "failure");
        for (RunningApplication application : chosen(call)) {
            for (JobView job : application.status().jobs()) {
                if (call.has(ALL) || job.state() == JobView.State.RUNNING) {
                    table.row(
                            OutputValue.of(application.id()),
                            OutputValue.of(job.id()),
                            JobCells.state(job.state()),
                            name(job),
                            stages(job),
                            JobCells.tasks(job.taskCounts(), job.tasks() - job.skippedTasks()),
                            JobCells.took(OptionalLong.of(job.startedMillis()), job.endedMillis(), clock.millis()),
                            JobCells.text(job.failure()));
                }
            }
        }
        return table.build(call.has(ALL) ? "no jobs" : "no job runs; --all lists ended jobs");
    }

    @Descriptor("""
            Lists running stages; with --all every attempt.
            stages [APPLICATION] [--all] [--watch [--times N]] [--json]
            Example: stages --all | grep FAILED""")
    public void stages(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = call(session, "stages", arguments);
        new RepeatedAnswer(call, pause).give(() -> stages(call));
    }

    private static CommandCall call(CommandSession session, String command, String[] arguments) {
        return CommandCall.of(session, command, arguments, 1, ALL, RepeatedAnswer.WATCH, RepeatedAnswer.TIMES + "=");
    }

    private Table stages(CommandCall call) {
        Table.Builder table =
                Table.of("application", "stage", "attempt", "state", "name", "pool", "tasks", "took", "failure");
        for (RunningApplication application : chosen(call)) {
            List<StageView> stages = call.has(ALL)
                    ? application.status().stages()
                    : application.status().activeStages();
            for (StageView stage : stages) {
                table.row(
                        OutputValue.of(application.id()),
                        OutputValue.of(stage.id()),
                        OutputValue.of(stage.attempt()),
                        JobCells.state(stage.state()),
                        OutputValue.of(stage.info().name()),
                        OutputValue.of(stage.info().pool()),
                        JobCells.tasks(stage.taskCounts(), stage.info().tasks()),
                        JobCells.took(stage.submittedMillis(), stage.endedMillis(), clock.millis()),
                        JobCells.text(stage.failure()));
            }
        }
        return table.build(call.has(ALL) ? "no stages" : "no stage runs; --all lists all known stages");
    }

    @Descriptor("""
            Cancels jobs: one, by stage, by group, by tag, or all.
            If several applications run, name one: APPLICATION/ID, or 'all APPLICATION'. Jobs show the reason.
            cancel job|stage|group|tag [APPLICATION/]ID [REASON] [--json]
            cancel all [APPLICATION] [REASON] [--json]
            Example: cancel job 3 'wrong input'""")
    public void cancel(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "cancel", arguments, 3);
        String kind = call.need(0, "kind, one of " + KINDS);
        if (!KINDS.contains(kind)) {
            throw call.misused("kind '" + kind + "' (expected: one of " + KINDS + ")");
        }
        List<RunningApplication> running = running(call);
        if (kind.equals("all")) {
            cancelAll(call, running);
            return;
        }
        String target = call.need(1, kind);
        String prefix = target.substring(0, Math.max(0, target.indexOf('/')));
        Optional<RunningApplication> named = ApplicationLookup.find(running, prefix);
        RunningApplication application = named.orElseGet(() -> ApplicationLookup.only(call, running));
        String id = named.isPresent() ? target.substring(prefix.length() + 1) : target;
        cancel(call, application, kind, id, call.word(2).orElse(REASON_DEFAULT));
        call.answer(requested(application, kind + " " + id));
    }

    @Descriptor("""
            Decommissions an executor after migrating its blocks, or a worker, or the workers of a host.
            Nothing new starts on such a worker, and it ends when what runs there has ended.
            decommission APPLICATION EXECUTOR [REASON] [--json]
            decommission WORKER|HOST [--reason TEXT] [--master URL] [--json]
            Example: decommission app-20261119064500-0000 2""")
    public void decommission(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = CommandCall.of(session, "decommission", arguments, 3, REASON + "=", MASTER + "=");
        String first = call.need(0, "application, worker or host");
        if (call.word(1).isEmpty()) {
            decommissionWorkers(call, first);
            return;
        }
        RunningApplication application = ApplicationLookup.named(call, applications, first);
        String executor = call.need(1, "executor");
        String reason = call.word(2).orElse(DECOMMISSIONED);
        boolean accepted = ThreadCommands.answer(
                application.decommission(executor, reason).toCompletableFuture(), "executor " + executor);
        if (!accepted) {
            throw call.misused("executor '" + executor
                    + "' (expected: an executor that runs in another process and is not" + " being decommissioned)");
        }
        call.answer(CommandOutput.words(
                "decommissioned", "decommission of executor " + executor + " of " + application.id() + " requested"));
    }

    private void decommissionWorkers(CommandCall call, String target) throws InterruptedException {
        String reason = call.option(REASON).orElse(DECOMMISSIONED);
        List<String> workers;
        try (ClusterAccess.OpenView view =
                call.need(clusters, ClusterAccess.class).open(call, call.option(MASTER), "decommission")) {
            workers = view.ask(cluster -> cluster.decommission(List.of(target), reason));
        }
        if (workers.isEmpty()) {
            throw call.misused("worker or host '" + target + "' (expected: one of those that 'workers' lists)");
        }
        Table.Builder table = Table.of("worker", "state");
        workers.forEach(worker -> table.row(OutputValue.of(worker), OutputValue.of("decommissioned")));
        call.answer(table.build("no workers"));
    }

    private void cancelAll(CommandCall call, List<RunningApplication> running) {
        Optional<RunningApplication> named = call.word(1).flatMap(word -> ApplicationLookup.find(running, word));
        RunningApplication application = named.orElseGet(() -> ApplicationLookup.only(call, running));
        application.cancelAll(call.word(named.isPresent() ? 2 : 1).orElse(REASON_DEFAULT));
        call.answer(requested(application, "all jobs"));
    }

    private static void cancel(
            CommandCall call, RunningApplication application, String kind, String id, String reason) {
        switch (kind) {
            case "job" -> {
                int job = number(call, id);
                Stream<JobView> jobs =
                        application.status().jobs().stream().filter(each -> each.state() == JobView.State.RUNNING);
                require(call, kind, job, jobs.map(JobView::id).toList());
                application.cancelJob(job, reason);
            }
            case "stage" -> {
                int stage = number(call, id);
                List<Integer> known = application.status().stages().stream()
                        .filter(each ->
                                each.state() == StageView.State.ACTIVE || each.state() == StageView.State.PENDING)
                        .map(StageView::id)
                        .distinct()
                        .toList();
                require(call, kind, stage, known);
                application.cancelStage(stage, reason);
            }
            case "group" -> application.cancelGroup(id, reason);
            default -> application.cancelTag(id, reason);
        }
    }

    private static void require(CommandCall call, String kind, int id, List<Integer> known) {
        if (!known.contains(id)) {
            throw call.misused(kind + " " + id + " is not running (expected: one of " + known + ")");
        }
    }

    private static CommandOutput requested(RunningApplication application, String what) {
        return CommandOutput.words("cancelled", "cancellation of " + what + " of " + application.id() + " requested");
    }

    private static OutputValue name(JobView job) {
        return OutputValue.of(job.description().isEmpty() ? job.name() : job.description())
                .field("name", OutputValue.of(job.name()))
                .field("description", JobCells.text(job.description()))
                .field("group", JobCells.text(job.group()))
                .field("tags", OutputValue.of(job.tags()));
    }

    private static OutputValue stages(JobView job) {
        JobView.StageCounts counts = job.stageCounts();
        int needed = job.stages().size() - counts.skipped();
        return OutputValue.of(counts.completed() + "/" + needed)
                .field("stagesDone", OutputValue.of(counts.completed()))
                .field("stagesRunning", OutputValue.of(counts.active()))
                .field("stagesFailed", OutputValue.of(counts.failed()))
                .field("stagesSkipped", OutputValue.of(counts.skipped()))
                .field("stagesTotal", OutputValue.of(needed));
    }

    private List<RunningApplication> chosen(CommandCall call) {
        return call.word(0)
                .map(id -> List.of(ApplicationLookup.named(call, applications, id)))
                .orElseGet(() -> running(call));
    }

    private List<RunningApplication> running(CommandCall call) {
        return ApplicationLookup.running(call, applications);
    }

    private static int number(CommandCall call, String id) {
        try {
            return Integer.parseInt(id);
        } catch (NumberFormatException noNumber) {
            throw call.misused("id '" + id + "' (expected: a number)");
        }
    }
}
