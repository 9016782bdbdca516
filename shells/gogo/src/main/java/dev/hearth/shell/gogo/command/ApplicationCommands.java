package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.CommandOutput;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.monitor.JobView;
import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.monitor.RunningApplications;
import dev.hearth.spi.monitor.StageView;
import dev.hearth.spi.monitor.TaskCounts;
import java.util.List;
import java.util.Locale;
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
    private static final String REASON_DEFAULT = "cancelled from the shell";
    private static final double MILLIS_PER_SECOND = 1000.0;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable RunningApplications applications;

    @Descriptor("""
            Lists running jobs; with --all also ended ones.
            jobs [APPLICATION] [--all] [--json]
            Example: jobs --all""")
    public void jobs(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "jobs", arguments, 1, ALL);
        Table.Builder table = Table.of("application", "job", "state", "name", "stages", "tasks", "took", "failure");
        for (RunningApplication application : chosen(call)) {
            for (JobView job : application.status().jobs()) {
                if (call.has(ALL) || job.state() == JobView.State.RUNNING) {
                    table.row(
                            OutputValue.of(application.id()),
                            OutputValue.of(job.id()),
                            state(job.state()),
                            OutputValue.of(job.description().isEmpty() ? job.name() : job.description()),
                            OutputValue.of(job.stageCounts().completed() + "/"
                                    + (job.stages().size() - job.stageCounts().skipped())),
                            tasks(job.taskCounts(), job.tasks() - job.skippedTasks()),
                            took(OptionalLong.of(job.startedMillis()), job.endedMillis()),
                            OutputValue.of(job.failure()));
                }
            }
        }
        call.answer(table.build(call.has(ALL) ? "no jobs" : "no job runs; --all lists ended jobs"));
    }

    @Descriptor("""
            Lists running stages; with --all every attempt.
            stages [APPLICATION] [--all] [--json]
            Example: stages --all | grep FAILED""")
    public void stages(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "stages", arguments, 1, ALL);
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
                        state(stage.state()),
                        OutputValue.of(stage.info().name()),
                        OutputValue.of(stage.info().pool()),
                        tasks(stage.taskCounts(), stage.info().tasks()),
                        took(stage.submittedMillis(), stage.endedMillis()),
                        OutputValue.of(stage.failure()));
            }
        }
        call.answer(table.build(call.has(ALL) ? "no stages" : "no stage runs; --all lists all known stages"));
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
        RunningApplication application = named.orElseGet(() -> only(call, running));
        String id = named.isPresent() ? target.substring(prefix.length() + 1) : target;
        cancel(call, application, kind, id, call.word(2).orElse(REASON_DEFAULT));
        call.answer(requested(application, kind + " " + id));
    }

    @Descriptor("""
            Decommissions an executor after migrating its blocks.
            decommission APPLICATION EXECUTOR [REASON] [--json]
            Example: decommission app-20261119064500-0000 2""")
    public void decommission(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "decommission", arguments, 3);
        RunningApplication application = ApplicationLookup.named(call, applications, call.need(0, "application"));
        String executor = call.need(1, "executor");
        String reason = call.word(2).orElse("decommissioned from the shell");
        boolean accepted = ThreadCommands.answer(
                application.decommission(executor, reason).toCompletableFuture(), "executor " + executor);
        if (!accepted) {
            throw call.misused("executor '" + executor
                    + "' (expected: an executor that runs in another process and is not" + " being decommissioned)");
        }
        call.answer(CommandOutput.words(
                "decommissioned", "decommission of executor " + executor + " of " + application.id() + " requested"));
    }

    private void cancelAll(CommandCall call, List<RunningApplication> running) {
        Optional<RunningApplication> named = call.word(1).flatMap(word -> ApplicationLookup.find(running, word));
        RunningApplication application = named.orElseGet(() -> only(call, running));
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

    private List<RunningApplication> chosen(CommandCall call) {
        return call.word(0)
                .map(id -> List.of(ApplicationLookup.named(call, applications, id)))
                .orElseGet(() -> running(call));
    }

    private List<RunningApplication> running(CommandCall call) {
        return ApplicationLookup.running(call, applications);
    }

    private static RunningApplication only(CommandCall call, List<RunningApplication> running) {
        if (running.size() != 1) {
            throw call.misused(running.size() + " applications run in this process (expected: one, or the id of one"
                    + " of these before the target): "
                    + running.stream().map(RunningApplication::id).toList());
        }
        return running.get(0);
    }

    private static int number(CommandCall call, String id) {
        try {
            return Integer.parseInt(id);
        } catch (NumberFormatException noNumber) {
            throw call.misused("id '" + id + "' (expected: a number)");
        }
    }

    private static OutputValue state(Enum<?> state) {
        OutputValue value = OutputValue.of(state.name().toLowerCase(Locale.ROOT));
        return switch (state.name()) {
            case "FAILED" -> value.bad();
            case "SUCCEEDED", "COMPLETE" -> value.good();
            default -> value;
        };
    }

    private static OutputValue tasks(TaskCounts counts, int all) {
        String failed = counts.failed() == 0 ? "" : ", " + counts.failed() + " failed";
        return OutputValue.of("(" + counts.succeeded() + " + " + counts.active() + ") / " + all + failed);
    }

    private static OutputValue took(OptionalLong start, OptionalLong end) {
        if (start.isEmpty() || end.isEmpty()) {
            return OutputValue.of("");
        }
        long millis = end.getAsLong() - start.getAsLong();
        return OutputValue.of(millis).shownAs(String.format(Locale.ROOT, "%.1f s", millis / MILLIS_PER_SECOND));
    }
}
