package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.id.IdSyntax;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.standalone.internal.client.MasterSearch;
import dev.hearth.standalone.internal.client.StandaloneManager;
import dev.hearth.standalone.internal.client.StandaloneSubmitter;
import dev.hearth.standalone.internal.contents.ContentSettings;
import dev.hearth.standalone.internal.log.FileFactLogs;
import dev.hearth.standalone.internal.master.MasterSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.osgi.service.component.annotations.Component;

/**
 * Declares the settings of masters and workers: their addresses, and the resources and directory of a worker. Also
 * declares the settings that only the master or submitters read.
 */
@Component(service = SettingsGroup.class)
public final class DaemonSettings implements SettingsGroup {
    private static final String LOOPBACK = "127.0.0.1";
    static final SettingKey<String> MASTER_HOST = host("hearth.master.host", "The address where a master listens.");
    static final SettingKey<Integer> MASTER_PORT =
            SettingKey.port("hearth.master.port", 7077, "The port where a master listens; 0 takes any free one.");
    static final SettingKey<String> WORKER_HOST = host("hearth.worker.host", "The address where a worker listens.");
    static final SettingKey<Integer> WORKER_PORT =
            SettingKey.port("hearth.worker.port", 0, "The port where a worker listens; 0 takes any free one.");
    static final SettingKey<Integer> WORKER_CORES = SettingKey.integer(
                    "hearth.worker.cores", 1, 1, Integer.MAX_VALUE, "Number of cores that a worker offers.")
            .withoutDefault("those of the machine");
    static final SettingKey<Integer> WORKER_MEMORY = SettingKey.mebibytes(
                    "hearth.worker.memory", 1, 1, Integer.MAX_VALUE, "Memory that a worker offers.")
            .withoutDefault("that of the machine minus 1g");
    static final SettingKey<String> WORKER_DIRECTORY = SettingKey.text(
                    "hearth.worker.dir",
                    "",
                    "The work directory of a worker, with the logs of its drivers and executors.")
            .obeying("a path", text -> !text.isBlank())
            .withoutDefault("`.hearth/work` in the user's home");

    static final SettingKey<String> WORKER_RUN_AS = SettingKey.text(
                    "hearth.worker.runAs",
                    "",
                    "The user of the operating system who runs the drivers and executors of a worker, which must run as"
                            + " root on Linux; applications do not choose it.")
            .obeying("the name of a user", text -> !text.isBlank())
            .withoutDefault("the user of the worker");

    static final SettingKey<String> WORKER_ID_PATTERN = SettingKey.text(
                    "hearth.worker.idPattern",
                    "worker-%s-%s-%d",
                    "The form of the id of a worker. It is the pattern of a Java formatter for the time of its start, its"
                            + " host and its port.")
            .obeying(
                    "a pattern such as `worker-%s-%s-%d`, which makes letters, digits, '-', '_', '.' and ':'",
                    DaemonSettings::isWorkerPattern);

    /** Read by front ends, for which the rules of this bundle (OSGI-INF/hearth/flags.tsv) name it. */
    static final SettingKey<Boolean> SUBMIT_WAITS = SettingKey.flag(
            "hearth.standalone.submit.waitAppCompletion",
            true,
            "Whether a submission in cluster mode waits until the driver has ended, and ends with its exit status.");

    static final SettingKey<Boolean> WORKER_PRESTARTS = SettingKey.flag(
            "hearth.worker.prestart.enabled",
            true,
            "Whether a worker that has started a driver or an executor starts one more process of that kind, which waits"
                    + " for the next driver or executor with the same options of Java and the same environment.");
    static final SettingKey<Duration> WORKER_PRESTART_TIMEOUT = SettingKey.duration(
            "hearth.worker.prestart.timeout",
            Duration.ofSeconds(60),
            Duration.ofSeconds(1),
            "Time after which a worker ends a process that waits for the next driver or executor.");

    static final SettingKey<String> WORKER_RESOURCES = ResourceRequest.family(
            "hearth.worker.resource.*",
            "Resources that a worker offers, such as GPUs: `NAME.amount`, the number of addresses, and"
                    + " `NAME.discoveryScript`, a program that writes them, or `NAME.addresses`, a list of them.");
    static final SettingKey<String> WORKER_RESOURCES_FILE = SettingKey.text(
                    "hearth.worker.resourcesFile",
                    "",
                    "A file with the addresses of a worker's resources, in the form of Spark's. Resources in it need no"
                            + " discovery script.")
            .obeying("a path", text -> !text.isBlank())
            .withoutDefault("discovery scripts alone");

    static final SettingKey<Integer> ENDED_DRIVERS_KEPT = SettingKey.integer(
            "hearth.worker.ui.retainedDrivers",
            1_000,
            0,
            1_000_000,
            "Number of ended drivers that a worker shows at `/json`.");
    static final SettingKey<Integer> ENDED_EXECUTORS_KEPT = SettingKey.integer(
            "hearth.worker.ui.retainedExecutors",
            1_000,
            0,
            1_000_000,
            "Number of ended executors that a worker shows at `/json`.");
    static final SettingKey<Boolean> LIMITS_PROCESSORS = SettingKey.flag(
            "hearth.worker.limitActiveProcessors",
            false,
            "Whether the Java of a driver or an executor sees as many processors as it has cores, not all of the machine.");
    static final SettingKey<String> DECOMMISSION_SIGNAL = SettingKey.text(
                    "hearth.worker.decommission.signal",
                    "PWR",
                    "The signal that decommissions a worker, without the prefix SIG.")
            .obeying("the name of a signal", text -> text.matches("[A-Z][A-Z0-9+-]*") && !text.startsWith("SIG"));
    static final SettingKey<Duration> DECOMMISSION_TIMEOUT = SettingKey.duration(
                    "hearth.worker.decommission.timeout",
                    Duration.ofMinutes(10),
                    Duration.ofMillis(1),
                    "Time after which a worker that is decommissioned ends the drivers and executors that still run there.")
            .withoutDefault("as long as they run");

    static final SettingKey<String> RECOVERY_MODE = SettingKey.text(
                    "hearth.deploy.recoveryMode",
                    "NONE",
                    "What a master that is started again knows: NONE forgets all, FILESYSTEM recovers from a log in a directory,"
                            + " ZOOKEEPER from nodes in ZooKeeper, which other masters on other hosts share."
                            + " ROCKSDB means FILESYSTEM; CUSTOM means hearth.deploy.recoveryMode.factory.")
            .obeying("the name of a mode", text -> !text.isBlank());
    static final SettingKey<String> RECOVERY_FACTORY = SettingKey.text(
                    "hearth.deploy.recoveryMode.factory",
                    "",
                    "The service that keeps the facts of a master with hearth.deploy.recoveryMode=CUSTOM: the class or the mode"
                            + " of a FactLogs that a bundle registers.")
            .obeying("the name of a class or of a mode", text -> !text.isBlank())
            .withoutDefault();

    @Override
    public String owner() {
        return "standalone";
    }

    @Override
    public List<SettingKey<?>> keys() {
        List<SettingKey<?>> keys = new ArrayList<>(List.of(
                MASTER_HOST,
                MASTER_PORT,
                WORKER_HOST,
                WORKER_PORT,
                WORKER_CORES,
                WORKER_MEMORY,
                WORKER_DIRECTORY,
                WORKER_RUN_AS,
                WORKER_ID_PATTERN,
                ENDED_DRIVERS_KEPT,
                ENDED_EXECUTORS_KEPT,
                LIMITS_PROCESSORS,
                DECOMMISSION_SIGNAL,
                DECOMMISSION_TIMEOUT,
                DecommissionPage.ALLOWED,
                KillPage.ENABLED,
                KillPage.ALLOWED,
                SUBMIT_WAITS,
                StandaloneSubmitter.MASTER_WAIT,
                MasterSearch.TIMEOUT,
                StandaloneManager.AWAY_MAX,
                RECOVERY_MODE,
                RECOVERY_FACTORY,
                FileFactLogs.DIRECTORY,
                WORKER_PRESTARTS,
                WORKER_PRESTART_TIMEOUT,
                WORKER_RESOURCES,
                WORKER_RESOURCES_FILE));
        keys.addAll(MasterSettings.KEYS);
        keys.addAll(ContentSettings.KEYS);
        return keys;
    }

    static String workerId(String pattern, String stamp, String host, int port) {
        return String.format(Locale.ROOT, pattern, stamp, host, port);
    }

    private static boolean isWorkerPattern(String pattern) {
        try {
            IdSyntax.require("worker", workerId(pattern, "20261118094746", "h", 1));
            return true;
        } catch (IllegalArgumentException notAPatternOrAnId) {
            return false;
        }
    }

    private static SettingKey<String> host(String name, String description) {
        return SettingKey.text(name, LOOPBACK, description).obeying("a name or an address", text -> !text.isBlank());
    }
}
