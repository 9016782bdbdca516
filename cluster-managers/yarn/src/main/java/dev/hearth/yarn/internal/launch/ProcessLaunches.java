package dev.hearth.yarn.internal.launch;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes the launches of Hearth's processes in containers, whatever their role. Immutable, as far as its launcher is. */
public final class ProcessLaunches {
    /** Name of the source of launch orders that the bundle yarn-container offers. */
    private static final String ORDERS = "-Dhearth.orders=service:yarn";

    private static final String TEMPORARY = "-Djava.io.tmpdir={{PWD}}/tmp";
    private static final String LIBRARIES = "LD_LIBRARY_PATH";
    private static final String DRIVER = "driver";
    private static final String MASTER = "am";
    private static final String MASTER_HEAP = "-Xmx64m";
    private static final String HADOOP_CONFIGURATION = "HADOOP_CONF_DIR";
    private static final String HADOOP_USER = "HADOOP_USER_NAME";

    /** The working directory of the process has the bundles. */
    private static final String SENT = "-Dhearth.bundles.sent=" + StagedFiles.SENT;

    private final ProcessLauncher launcher;
    private final ProcessOptions options;

    public ProcessLaunches(ProcessLauncher launcher, ProcessOptions options) {
        this.launcher = launcher;
        this.options = options;
    }

    public ProcessOptions options() {
        return options;
    }

    /**
     * Launch of a process in {@code role} with the launch orders {@code orders} and a heap of {@code heapMebibytes} MiB.
     * {@code given} are the options of its application, {@code tokens} the token file of Hadoop, or empty.
     */
    public ContainerLaunch launch(
            String container,
            String role,
            int heapMebibytes,
            List<String> javaOptions,
            LaunchOptions given,
            CarriedOrders orders,
            StagedFiles files,
            Bytes tokens) {
        List<String> java = new ArrayList<>(List.of("-Xmx" + heapMebibytes + "m", TEMPORARY));
        java.addAll(javaOptions);
        java.addAll(given.javaOptions());
        if (files.hasSentBundles()) {
            java.add(SENT);
        }
        java.add(ORDERS);
        return new ContainerLaunch(
                container,
                command(role, java, files),
                environment(given, orders, files),
                files.files(),
                orders.secrets(),
                tokens,
                options.acls());
    }

    /** The command of a role. A driver, whose program may call System.exit, is followed by a process that reports the end. */
    private List<String> command(String role, List<String> java, StagedFiles files) {
        List<String> words = words(role, java, files);
        return role.equals(DRIVER)
                ? ContainerCommand.of(
                        words, words(MASTER, List.of(MASTER_HEAP, TEMPORARY, ORDERS), files), options.javaHome())
                : ContainerCommand.of(words, options.javaHome());
    }

    private List<String> words(String role, List<String> java, StagedFiles files) {
        return files.classArchive()
                .map(classes -> launcher.command(role, java, StagedFiles.PLATFORM, classes))
                .orElseGet(() -> launcher.command(role, java, StagedFiles.PLATFORM));
    }

    private Map<String, String> environment(LaunchOptions given, CarriedOrders orders, StagedFiles files) {
        Map<String, String> environment = new LinkedHashMap<>();
        if (files.hasConfiguration()) {
            environment.put(HADOOP_CONFIGURATION, "{{PWD}}/" + StagedFiles.CONFIGURATION);
        }
        options.hadoopUser().ifPresent(user -> environment.put(HADOOP_USER, user));
        new TreeMap<>(given.environment())
                .forEach((name, value) -> environment.put(name, ScriptText.inDoubleQuotes(value)));
        if (!given.libraryPath().isBlank()) {
            environment.merge(
                    LIBRARIES,
                    ScriptText.inDoubleQuotes(given.libraryPath()),
                    (others, libraries) -> libraries + ":" + others);
        }
        environment.putAll(orders.environment());
        return environment;
    }
}
