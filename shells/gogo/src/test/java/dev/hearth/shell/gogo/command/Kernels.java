package dev.hearth.shell.gogo.command;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.Deployer;
import dev.hearth.spi.kernel.Inventory;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.kernel.Logs;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Simulated services of a kernel. */
final class Kernels {
    static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");

    private Kernels() {}

    record Info(Settings settings) implements KernelInfo {
        @Override
        public String role() {
            return "shell";
        }

        @Override
        public String version() {
            return "1.2.3";
        }

        @Override
        public Path home() {
            return Path.of("/home");
        }

        @Override
        public Instant startedAt() {
            return STARTED;
        }

        @Override
        public Duration startTook() {
            return Duration.ofMillis(321);
        }
    }

    static final class Bundles implements Inventory {
        @Override
        public List<BundleEntry> bundles() {
            return List.of(
                    new BundleEntry(0, "org.apache.felix.framework", "7.0.5", "ACTIVE", "bundles", ""),
                    new BundleEntry(
                            9, "example-manager-with-a-name", "1.1.0", "INSTALLED", "deploy", "needs the package a.b"));
        }

        @Override
        public List<ServiceEntry> services() {
            return List.of(
                    new ServiceEntry(
                            3,
                            List.of("dev.hearth.spi.role.RoleMain"),
                            "hearth-shell-gogo",
                            Map.of("hearth.role", "shell")),
                    command("hearth-shell-gogo", "hearth", "info,log", Map.of(CommandCall.TOPIC, "Process")),
                    command("example-drop", "dropped", "drop", Map.of()));
        }

        private static ServiceEntry command(String bundle, String scope, String functions, Map<String, String> more) {
            Map<String, String> properties = new TreeMap<>(more);
            properties.put("osgi.command.scope", scope);
            properties.put("osgi.command.function", functions);
            return new ServiceEntry(4, List.of("java.lang.Object"), bundle, properties);
        }

        @Override
        public String why(String bundle) {
            return bundle + " needs the package a.b, which no bundle offers";
        }
    }

    /** Records its calls. */
    static final class Dropped implements Deployer {
        final List<String> orders = new ArrayList<>();
        final List<Deployed> more = new ArrayList<>();
        boolean isEmpty;
        boolean isWatching = true;

        @Override
        public boolean isWatching() {
            return isWatching;
        }

        @Override
        public List<Deployed> deployed() {
            if (isEmpty) {
                return List.of();
            }
            List<Deployed> all = new ArrayList<>(more);
            all.add(new Deployed(
                    "example-1.jar",
                    "0123456789abcdef",
                    "example",
                    "1.0.0",
                    State.DRAINING,
                    "",
                    List.of("application pi")));
            return all;
        }

        @Override
        public String deploy(Path jar) {
            orders.add("deploy " + jar.getFileName());
            return jar.getFileName().toString();
        }

        @Override
        public void undeploy(String file) {
            if (!file.equals("example-1.jar")) {
                throw ErrorCode.NOT_DEPLOYED.failure("deploy/" + file + ": no such file (expected: one)");
            }
            orders.add("undeploy " + file);
        }

        @Override
        public void whenSettled(Runnable action) {
            action.run();
        }
    }

    static final class Levels implements Logs {
        private final SortedMap<String, String> levels = new TreeMap<>(Map.of("ROOT", "WARN", "dev.hearth", "INFO"));

        @Override
        public Map<String, String> levels() {
            return levels;
        }

        @Override
        public void setLevel(String logger, String level) {
            if (level.isEmpty()) {
                levels.remove(logger);
            } else {
                levels.put(logger, level);
            }
        }
    }
}
