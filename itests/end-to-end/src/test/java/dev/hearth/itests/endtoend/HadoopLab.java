package dev.hearth.itests.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.testkit.machine.Eventually;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Daemons of Hadoop on this machine, each a process of its own: a NameNode with DataNodes, and a ResourceManager with
 * NodeManagers. They listen on the loopback interface alone, at ports that were free, and end with the test's process,
 * even if it is killed. The jars are those of itests/yarn. Owned by one test class.
 */
final class HadoopLab implements AutoCloseable {
    static final String NAME_NODE = "namenode";
    static final String RESOURCE_MANAGER = "resourcemanager";
    /** The second ResourceManager. */
    static final String STANDBY = "resourcemanager2";

    private static final String JARS = "hearth.yarn.jars";
    private static final String HOST = "127.0.0.1";
    private static final int FIRST_NODE = 10;
    private static final Duration START_BOUND = Duration.ofMinutes(4);
    private static final int FORMAT_SECONDS_MAX = 180;
    private static final int TOOL_SECONDS_MAX = 180;
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(5);
    private static final List<String> JVM =
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.net.preferIPv4Stack=true");
    /** A shell that ends the daemon when the pipe from the test's process breaks. The first line is the daemon's pid. */
    private static final String LIFE_LINE = "\"$@\" < /dev/null 2>&1 & echo $!; cat > /dev/null; kill -9 $!";

    private final Path directory;
    private final Plan plan;
    private final LabConfiguration configuration;
    private final Map<String, Daemon> daemons = new LinkedHashMap<>();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_BOUND).build();

    private HadoopLab(Path directory, Plan plan, LabConfiguration configuration) {
        this.directory = directory;
        this.plan = plan;
        this.configuration = configuration;
    }

    /**
     * Which daemons run, and with which properties beyond those of the laboratory. {@code properties} are by the names
     * of site files, such as {@code hdfs-site.xml}. Nodes {@code apart} are hosts of their own; with {@code standby}
     * there are two ResourceManagers, of which the first one is active. Immutable.
     */
    record Plan(
            int dataNodes,
            int nodeManagers,
            boolean apart,
            boolean standby,
            Map<String, Map<String, String>> properties,
            Map<String, String> environment) {
        /** A NameNode and DataNodes alone. */
        static Plan ofFiles(int dataNodes) {
            return new Plan(dataNodes, 0, false, false, Map.of(), Map.of());
        }

        /** A NameNode and a DataNode, and a ResourceManager with NodeManagers. */
        static Plan ofYarn(int nodeManagers) {
            return new Plan(1, nodeManagers, false, false, Map.of(), Map.of());
        }

        /**
         * A NameNode, a ResourceManager, and nodes with a DataNode and a NodeManager each, at a loopback address of the
         * node's own: locality, racks and excluded hosts exist.
         */
        static Plan ofNodes(int nodes) {
            return new Plan(nodes, nodes, true, false, Map.of(), Map.of());
        }

        /** The host of a node. */
        String host(int node) {
            return apart ? "127.0.0." + (FIRST_NODE + node) : HOST;
        }

        Plan with(String file, String key, String value) {
            Map<String, Map<String, String>> all = new TreeMap<>();
            properties.forEach((name, values) -> all.put(name, new TreeMap<>(values)));
            all.computeIfAbsent(file, name -> new TreeMap<>()).put(key, value);
            return new Plan(dataNodes, nodeManagers, apart, standby, all, environment);
        }

        /** The plan with variables of the daemons and tools. */
        Plan in(Map<String, String> variables) {
            return new Plan(dataNodes, nodeManagers, apart, standby, properties, variables);
        }

        /** The plan with a second ResourceManager, which takes the place of the first one on request. */
        Plan withStandby(Path states) {
            Plan recovering = with("yarn-site.xml", "yarn.resourcemanager.recovery.enabled", "true")
                    .with(
                            "yarn-site.xml",
                            "yarn.resourcemanager.store.class",
                            "org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore")
                    .with(
                            "yarn-site.xml",
                            "yarn.resourcemanager.fs.state-store.uri",
                            states.toUri().toString())
                    .with("yarn-site.xml", "yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "1000");
            return new Plan(dataNodes, nodeManagers, apart, true, recovering.properties(), environment);
        }
    }

    /** A running daemon. */
    private record Daemon(Process shell, long pid) {}

    /** Starts the daemons in {@code directory} and waits until all are ready; fails with the reason if one is not. */
    static HadoopLab start(Path directory, Plan plan) throws Exception {
        LabConfiguration configuration = LabConfiguration.write(Files.createDirectories(directory), plan);
        HadoopLab lab = new HadoopLab(directory, plan, configuration);
        boolean ready = false;
        try {
            lab.format();
            lab.startDaemon(NAME_NODE);
            for (int i = 1; i <= plan.dataNodes(); i++) {
                lab.startDaemon(dataNode(i));
            }
            if (plan.nodeManagers() > 0) {
                lab.startDaemon(RESOURCE_MANAGER);
                if (plan.standby()) {
                    lab.startDaemon(STANDBY);
                    lab.activate(RESOURCE_MANAGER);
                }
                for (int i = 1; i <= plan.nodeManagers(); i++) {
                    lab.startDaemon(nodeManager(i));
                }
            }
            lab.awaitReady();
            ready = true;
            return lab;
        } finally {
            if (!ready) {
                lab.close();
            }
        }
    }

    static String dataNode(int number) {
        return "datanode" + number;
    }

    static String nodeManager(int number) {
        return "nodemanager" + number;
    }

    /** The directory with site files for clients, as HADOOP_CONF_DIR names it. */
    Path configuration() {
        return configuration.clients();
    }

    /** Address of the file system, such as {@code hdfs://127.0.0.1:12345}. */
    String files() {
        return configuration.files();
    }

    /** Port of a daemon, by the key of its address without its prefix, such as {@code namenode.http-address}. */
    int port(String key) {
        return configuration.port(key);
    }

    /** Log of a daemon. */
    String log(String daemon) throws IOException {
        return Files.readString(logFile(daemon));
    }

    private Path logFile(String daemon) {
        return directory.resolve(daemon + ".log");
    }

    long pid(String daemon) {
        Daemon running = daemons.get(daemon);
        if (running == null) {
            throw new AssertionError(daemon + ": not running (expected: one of " + daemons.keySet() + ")");
        }
        return running.pid();
    }

    /** Ends a daemon as kill -9 does. */
    void kill(String daemon) {
        long pid = pid(daemon);
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        end(daemons.remove(daemon));
    }

    private static void end(Daemon daemon) {
        try {
            daemon.shell().getOutputStream().close(); // the shell kills what still runs
        } catch (IOException broken) {
            daemon.shell().destroyForcibly();
        }
        daemon.shell().onExit().join();
        ProcessHandle.of(daemon.pid()).ifPresent(left -> left.onExit().join());
    }

    /** Starts a daemon, which may have been killed before. */
    void startDaemon(String name) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", LIFE_LINE, name));
        command.addAll(java(configuration.of(name)));
        command.add(LabConfiguration.mainClass(name));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().putAll(plan.environment());
        builder.environment().put("JAVA_HOME", javaOfContainers(name).toString());
        builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile(name).toFile()));
        Path log = logFile(name);
        long before = Files.exists(log) ? Files.size(log) : 0;
        Process shell = builder.start();
        Eventually.until(
                name + " starts",
                () -> Files.exists(log) && firstLine(log, before).isPresent(),
                START_BOUND);
        daemons.put(
                name, new Daemon(shell, Long.parseLong(firstLine(log, before).orElseThrow())));
    }

    /** The Java of the containers of a daemon: a link, which a test may remove. */
    private Path javaOfContainers(String daemon) throws IOException {
        Path link = directory.resolve("java-" + daemon);
        if (!Files.exists(link)) {
            Files.createSymbolicLink(link, Path.of(System.getProperty("java.home")));
        }
        return link;
    }

    /** Removes the Java of the containers of a NodeManager; false gives it back. */
    void breakJava(String nodeManager, boolean broken) throws IOException {
        Files.deleteIfExists(directory.resolve("java-" + nodeManager));
        if (!broken) {
            javaOfContainers(nodeManager);
        }
    }

    /** Names the nodes to decommission, and sends the file to the ResourceManager; running containers get the time. */
    void decommission(List<String> hosts, Duration within) throws Exception {
        Files.write(configuration.excluded(), hosts);
        tool(
                "org.apache.hadoop.yarn.client.cli.RMAdminCLI",
                "-refreshNodes",
                "-g",
                String.valueOf(within.toSeconds()),
                "-server");
    }

    /** Makes one of two ResourceManagers the active one; the other one must be standby, or dead. */
    void activate(String resourceManager) throws Exception {
        String pages = "resourcemanager.webapp.address";
        String key = resourceManager.equals(STANDBY) ? LabConfiguration.ofStandby(pages) : pages;
        await(
                resourceManager + " stands by",
                () -> page(key, "/ws/v1/cluster/info").contains("\"haState\":\"STANDBY\""));
        tool(
                "org.apache.hadoop.yarn.client.cli.RMAdminCLI",
                "-transitionToActive",
                "--forceactive",
                LabConfiguration.managerId(resourceManager));
    }

    /** Address of a node, by the number of its daemons. */
    String host(int node) {
        return plan.host(node);
    }

    private static Optional<String> firstLine(Path log, long from) throws IOException {
        byte[] all = Files.readAllBytes(log);
        String text = new String(all, (int) from, (int) (all.length - from), UTF_8);
        int end = text.indexOf('\n');
        return end < 0 ? Optional.empty() : Optional.of(text.substring(0, end).strip());
    }

    private List<String> java(Path siteFiles) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.add("-Dhadoop.log.dir=" + directory);
        command.add("-cp");
        command.add(siteFiles + File.pathSeparator + classPath());
        return command;
    }

    private static String classPath() {
        Path jars = Path.of(System.getProperty(JARS, ""));
        if (!Files.isDirectory(jars)) {
            throw new AssertionError("daemons of Hadoop: " + jars + " does not exist (expected: their jars); run with"
                    + " -Pyarn and itests/yarn among the modules");
        }
        return jars.resolve("*").toString();
    }

    private void format() throws Exception {
        List<String> command = java(configuration.of(NAME_NODE));
        command.addAll(List.of(LabConfiguration.mainClass(NAME_NODE), "-format", "-force", "-nonInteractive"));
        run(command, FORMAT_SECONDS_MAX);
    }

    /** Runs a tool of Hadoop as a client and returns what it prints; fails if it fails. */
    String tool(String mainClass, String... arguments) throws Exception {
        List<String> command = java(configuration.clients());
        command.add(mainClass);
        command.addAll(List.of(arguments));
        return run(command, TOOL_SECONDS_MAX);
    }

    /** Runs {@code hdfs dfs} and returns what it prints. */
    String dfs(String... arguments) throws Exception {
        return tool("org.apache.hadoop.fs.FsShell", arguments);
    }

    private String run(List<String> command, int secondsMax) throws Exception {
        try (Launched launched = Launched.start(directory, plan.environment(), command)) {
            if (launched.status(secondsMax) != 0) {
                throw new AssertionError(command + ":\n" + launched.output() + launched.errors());
            }
            return launched.output();
        }
    }

    /** Waits until all daemons of the plan have found each other and files can be written. */
    void awaitReady() throws Exception {
        await(
                "live DataNodes",
                () -> number(
                                "namenode.http-address",
                                "/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState",
                                "\"NumLiveDataNodes\" : (\\d+)")
                        >= plan.dataNodes());
        await(
                "the NameNode has left its safe mode",
                () -> page("namenode.http-address", "/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo")
                        .contains("\"Safemode\" : \"\""));
        if (plan.nodeManagers() > 0) {
            await(
                    "active NodeManagers",
                    () -> number("resourcemanager.webapp.address", "/ws/v1/cluster/metrics", "\"activeNodes\":(\\d+)")
                            >= plan.nodeManagers());
        }
    }

    private void await(String what, Eventually.Condition<Exception> condition) throws Exception {
        Eventually.until(what, () -> condition.holds() || died(), START_BOUND, this::logs);
        if (died()) {
            throw new AssertionError(
                    "daemons of Hadoop: one has ended while the others waited for " + what + "\n" + logs());
        }
    }

    private boolean died() {
        return daemons.values().stream()
                .anyMatch(daemon -> ProcessHandle.of(daemon.pid()).isEmpty());
    }

    private String logs() {
        StringBuilder ends = new StringBuilder();
        daemons.keySet().forEach(name -> {
            try {
                String log = log(name);
                ends.append("--- ").append(name).append('\n').append(log.substring(Math.max(0, log.length() - 3_000)));
            } catch (IOException unread) {
                ends.append(unread);
            }
        });
        return ends.toString();
    }

    private int number(String key, String path, String pattern) throws Exception {
        Matcher found = Pattern.compile(pattern).matcher(page(key, path));
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }

    /** A page of a daemon, by the key of its address; empty while it does not listen. */
    String page(String key, String path) throws Exception {
        URI address = URI.create("http://" + HOST + ":" + configuration.port(key) + path);
        try {
            return http.send(
                            HttpRequest.newBuilder(address)
                                    .timeout(ANSWER_BOUND)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (ConnectException | HttpTimeoutException notYet) {
            return "";
        }
    }

    /** Ends all daemons. */
    @Override
    public void close() {
        for (Daemon daemon : daemons.values()) {
            end(daemon);
        }
        daemons.clear();
    }
}
