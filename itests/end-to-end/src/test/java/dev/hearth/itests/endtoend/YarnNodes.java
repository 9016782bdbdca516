package dev.hearth.itests.endtoend;

import dev.hearth.testkit.machine.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A YARN of two nodes that are hosts of their own, with two queues of which each may preempt the other. Applications
 * have unmanaged masters, so that all containers are executors. Owned by one test class.
 */
final class YarnNodes implements AutoCloseable {
    static final int NODES = 2;
    /** A notice of preemption, as long as YARN's default. */
    static final Duration PREEMPTION_NOTICE = Duration.ofSeconds(15);

    private static final String SCHEDULER = "capacity-scheduler.xml";
    private static final String YARN = "yarn-site.xml";
    private static final String PREEMPTION = "yarn.resourcemanager.monitor.capacity.preemption.";
    private static final Pattern HOST = Pattern.compile("(?:^|\0)NM_HOST=([^\0]+)");

    private final OnYarn yarn;

    private YarnNodes(OnYarn yarn) {
        this.yarn = yarn;
    }

    static YarnNodes start(Path scratch) throws Exception {
        HadoopLab.Plan plan = HadoopLab.Plan.ofNodes(NODES)
                .with(SCHEDULER, "yarn.scheduler.capacity.root.queues", "default,urgent")
                .with(YARN, "yarn.nodemanager.container-monitor.interval-ms", "500")
                .with(YARN, "yarn.resourcemanager.placement-constraints.handler", "scheduler")
                .with(YARN, "yarn.resourcemanager.scheduler.monitor.enable", "true")
                .with(YARN, PREEMPTION + "monitoring_interval", "500")
                .with(YARN, PREEMPTION + "max_wait_before_kill", String.valueOf(PREEMPTION_NOTICE.toMillis()))
                .with(YARN, PREEMPTION + "total_preemption_per_round", "1.0")
                .with(YARN, PREEMPTION + "natural_termination_factor", "1.0");
        for (String queue : List.of("default", "urgent")) {
            String prefix = "yarn.scheduler.capacity.root." + queue + ".";
            plan = plan.with(SCHEDULER, prefix + "capacity", "50")
                    .with(SCHEDULER, prefix + "maximum-capacity", "100")
                    .with(SCHEDULER, prefix + "user-limit-factor", "2")
                    .with(SCHEDULER, prefix + "state", "RUNNING");
        }
        return new YarnNodes(OnYarn.start(scratch, plan));
    }

    OnYarn yarn() {
        return yarn;
    }

    HadoopLab lab() {
        return yarn.lab();
    }

    /** Submits a program, with {@code settings} as {@code key=value}. */
    Launched submit(String[] program, String... settings) throws Exception {
        String[] line = new String[2 * settings.length + 4];
        line[0] = "--conf";
        line[1] = "hearth.yarn.unmanagedAM.enabled=true";
        line[2] = "--conf";
        line[3] = "hearth.log.level=info";
        for (int i = 0; i < settings.length; i++) {
            line[4 + 2 * i] = "--conf";
            line[5 + 2 * i] = settings[i];
        }
        return yarn.submit(OnYarn.join(line, program));
    }

    /** The host of the node in whose container the process {@code pid} runs. */
    static String hostOf(long pid) {
        Matcher host = HOST.matcher(OnYarn.variables(pid));
        if (!host.find()) {
            throw new AssertionError("process " + pid + ": in no container (expected: a process of YARN)");
        }
        return host.group(1);
    }

    /** Waits until an application has said {@code words}, or has ended. */
    static void awaitWords(Launched launched, String words, Duration bound) {
        Eventually.until(
                "the driver says '" + words + "'",
                () -> launched.errors().contains(words) || !launched.isAlive(),
                bound,
                launched::errors);
        if (!launched.errors().contains(words)) {
            throw new AssertionError("the driver ended without '" + words + "':\n" + launched.errors());
        }
    }

    static int occurrences(String text, String words) {
        return text.split(Pattern.quote(words), -1).length - 1;
    }

    @Override
    public void close() {
        yarn.close();
    }
}
