package dev.hearth.standalone.internal.worker;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.MachineSettings;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Configuration of a worker: id, address, offered resources, work directory with the bounds on its content, and
 * masters. {@code children} says how the worker starts drivers and executors. {@code resources} are the addresses that the
 * worker offers. {@code departureTimeout} is the time after which a worker that is decommissioned ends what still runs. With
 * {@code limitsProcessors}, the Java of a child sees as many processors as the child has cores. {@code session} distinguishes
 * this process from others with the same id. Immutable.
 */
public record WorkerSpec(
        String id,
        RpcAddress address,
        int cores,
        int memoryMebibytes,
        Path directory,
        OutputFiles outputs,
        CleanupSettings cleanup,
        List<RpcAddress> masters,
        Children children,
        List<ResourceInformation> resources,
        Optional<Duration> departureTimeout,
        Pages pages,
        boolean limitsProcessors,
        String session) {
    /** Maximum delay of the first attempt to connect again, so that not all workers come at once. */
    static final Duration RETURN_MAX = Duration.ofMillis(250);

    static final Duration RETRY_FIRST = Duration.ofMillis(200);
    /** Maximum delay between the first attempts after the loss of a master, which are well within its grace. */
    static final Duration RETRY_SOON_MAX = Duration.ofSeconds(1);

    static final Duration RETRY_MAX = Duration.ofSeconds(10);

    public WorkerSpec {
        masters = List.copyOf(masters);
        resources = List.copyOf(resources);
    }

    /** Where this worker serves the outputs of what it runs. */
    String pagesAddress() {
        return pages.scheme() + "://" + address;
    }

    /** Worker that waits for what runs, however long, when it is decommissioned, and whose id no other process has. */
    public WorkerSpec(
            String id,
            RpcAddress address,
            int cores,
            int memoryMebibytes,
            Path directory,
            OutputFiles outputs,
            CleanupSettings cleanup,
            List<RpcAddress> masters,
            Children children,
            List<ResourceInformation> resources) {
        this(
                id,
                address,
                cores,
                memoryMebibytes,
                directory,
                outputs,
                cleanup,
                masters,
                children,
                resources,
                Optional.empty(),
                Pages.DEFAULTS,
                false,
                id);
    }

    /** Worker without resources but cores and memory. */
    public WorkerSpec(
            String id,
            RpcAddress address,
            int cores,
            int memoryMebibytes,
            Path directory,
            OutputFiles outputs,
            CleanupSettings cleanup,
            List<RpcAddress> masters,
            Children children) {
        this(id, address, cores, memoryMebibytes, directory, outputs, cleanup, masters, children, List.of());
    }

    /**
     * Content of the pages of a worker: so many ended drivers and executors, and addresses of the scheme {@code scheme}.
     */
    public record Pages(int endedDrivers, int endedExecutors, String scheme) {
        public static final Pages DEFAULTS = new Pages(1_000, 1_000, "http");
    }

    /**
     * How a worker starts drivers and executors. {@code forDrivers} are secrets that the worker has read from its
     * environment, which drivers do not inherit. {@code forExecutors} hides the secrets of {@code conf/} from executors.
     * {@code machine} are the settings of the worker that describe its machine; they replace those of an application.
     * With a {@code user}, that user runs the children, and cannot read the files of {@code security}.
     */
    public record Children(
            Map<String, String> forDrivers,
            Map<String, String> forExecutors,
            Map<String, String> machine,
            RpcSecurity security,
            Optional<String> user) {
        /** Children of the user of this process, without secrets. */
        public static final Children DEFAULTS =
                new Children(Map.of(), Map.of(), Map.of(), RpcSecurity.NONE, Optional.empty());

        public Children {
            forDrivers = Map.copyOf(forDrivers);
            forExecutors = Map.copyOf(forExecutors);
            machine = Map.copyOf(machine);
        }

        /**
         * Derives from the settings of a worker how it starts drivers and executors. If {@code user} is set, that user
         * runs them. Drivers then get the secrets in {@code security} themselves instead of the names of secret files.
         */
        public static Children of(Settings worker, RpcSecurity security, Optional<String> user) {
            return new Children(
                    worker.secretsOfEnvironment(),
                    RpcSecurity.withheldFromTasks(worker),
                    MachineSettings.of(worker),
                    security,
                    user);
        }

        Settings driver(Map<String, String> submitted, String host) {
            Settings settings = Settings.empty()
                    .with("worker", forDrivers)
                    .with("submission", MachineSettings.without(submitted))
                    .with("worker", machine)
                    // address at which executors on other hosts reach the driver
                    .with("worker", "hearth.driver.host", host);
            return user.isPresent()
                    ? security.withoutFiles(settings)
                    // a file of the submitter's machine may be missing here
                    : security.secret()
                            .map(own -> RpcSecurity.withSecret(settings, own))
                            .orElse(settings);
        }

        Map<String, String> executor(Map<String, String> ofApplication) {
            Map<String, String> settings = new LinkedHashMap<>(forExecutors);
            settings.putAll(MachineSettings.without(ofApplication));
            settings.putAll(machine);
            return settings;
        }

        /** Text form without the secrets. */
        @Override
        public String toString() {
            return "children of " + user.orElse("the same user");
        }
    }
}
