package dev.hearth.itests.endtoend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Site files of {@link HadoopLab}: a directory for clients, and one for each daemon, with addresses of its own.
 * Immutable.
 */
record LabConfiguration(Path directory, Map<String, Integer> ports) {
    private static final String HOST = "127.0.0.1";
    private static final String CORE = "core-site.xml";
    private static final String HDFS = "hdfs-site.xml";
    private static final String YARN = "yarn-site.xml";
    private static final String SCHEDULER = "capacity-scheduler.xml";
    private static final String NAME_NODE_RPC = "namenode.rpc";
    private static final String[] HDFS_ADDRESSES = {"namenode.http-address"};
    private static final String[] MANAGER_ADDRESSES = {
        "resourcemanager.address",
        "resourcemanager.scheduler.address",
        "resourcemanager.resource-tracker.address",
        "resourcemanager.admin.address",
        "resourcemanager.webapp.address"
    };
    private static final String[] DATA_NODE_ADDRESSES = {
        "datanode.address", "datanode.http.address", "datanode.ipc.address"
    };
    private static final String[] NODE_MANAGER_ADDRESSES = {
        "nodemanager.address",
        "nodemanager.localizer.address",
        "nodemanager.webapp.address",
        "nodemanager.collector-service.address",
        "nodemanager.amrmproxy.address"
    };
    private static final String LOGGING = """
            log4j.rootLogger=INFO,console
            log4j.appender.console=org.apache.log4j.ConsoleAppender
            log4j.appender.console.target=System.err
            log4j.appender.console.layout=org.apache.log4j.PatternLayout
            log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
            """;

    /** Pages show counts of calls as they are, rather than those of up to ten seconds ago. */
    private static final String METRICS = "namenode.periodMillis=100\n";

    LabConfiguration {
        ports = Map.copyOf(ports);
    }

    static LabConfiguration write(Path directory, HadoopLab.Plan plan) throws IOException {
        Map<String, Integer> ports = new LinkedHashMap<>();
        ports.put(NAME_NODE_RPC, FreePort.draw());
        for (String key : HDFS_ADDRESSES) {
            ports.put(key, FreePort.draw());
        }
        for (String key : MANAGER_ADDRESSES) {
            ports.put(key, FreePort.draw());
            ports.put(ofStandby(key), FreePort.draw());
        }
        LabConfiguration written = new LabConfiguration(directory, ports);
        Files.write(written.excluded(), new byte[0]);
        written.write("clients", plan, Map.of(), Map.of());
        written.write(HadoopLab.NAME_NODE, plan, Map.of(), Map.of());
        for (String manager : List.of(HadoopLab.RESOURCE_MANAGER, HadoopLab.STANDBY)) {
            written.write(manager, plan, Map.of(), Map.of("yarn.resourcemanager.ha.id", managerId(manager)));
        }
        for (int i = 1; i <= plan.dataNodes(); i++) {
            Map<String, String> own = new TreeMap<>();
            addresses("dfs.", plan.host(i), DATA_NODE_ADDRESSES, own);
            own.put(
                    "dfs.datanode.data.dir",
                    directory.resolve("data" + i).toUri().toString());
            own.put("dfs.datanode.hostname", plan.host(i));
            written.write(HadoopLab.dataNode(i), plan, own, Map.of());
        }
        for (int i = 1; i <= plan.nodeManagers(); i++) {
            Map<String, String> own = new TreeMap<>();
            addresses("yarn.", plan.host(i), NODE_MANAGER_ADDRESSES, own);
            Path files = directory.resolve("node" + i);
            own.put("yarn.nodemanager.hostname", plan.host(i));
            own.put("yarn.nodemanager.local-dirs", files.resolve("local").toString());
            own.put("yarn.nodemanager.log-dirs", files.resolve("logs").toString());
            own.put("yarn.nodemanager.recovery.dir", files.resolve("recovery").toString());
            written.write(HadoopLab.nodeManager(i), plan, Map.of(), own);
        }
        return written;
    }

    private static void addresses(String prefix, String host, String[] keys, Map<String, String> properties)
            throws IOException {
        for (String key : keys) {
            properties.put(prefix + key, host + ":" + FreePort.draw());
        }
    }

    /** The key of an address of the second ResourceManager, by that of the first. */
    static String ofStandby(String key) {
        return key + "." + managerId(HadoopLab.STANDBY);
    }

    /** Id of a ResourceManager among two. */
    static String managerId(String resourceManager) {
        return resourceManager.equals(HadoopLab.STANDBY) ? "rm2" : "rm1";
    }

    static String mainClass(String daemon) {
        String kind = daemon.replaceAll("\\d+$", "");
        return switch (kind) {
            case "namenode" -> "org.apache.hadoop.hdfs.server.namenode.NameNode";
            case "datanode" -> "org.apache.hadoop.hdfs.server.datanode.DataNode";
            case "resourcemanager" -> "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager";
            case "nodemanager" -> "org.apache.hadoop.yarn.server.nodemanager.NodeManager";
            default -> throw new IllegalArgumentException("daemon " + daemon + ": unknown");
        };
    }

    Path clients() {
        return of("clients");
    }

    /** The site files of a daemon. */
    Path of(String daemon) {
        return directory.resolve("conf-" + daemon);
    }

    /** The file that names the nodes to decommission. */
    Path excluded() {
        return directory.resolve("excluded-nodes");
    }

    String files() {
        return "hdfs://" + HOST + ":" + port(NAME_NODE_RPC);
    }

    int port(String key) {
        Integer port = ports.get(key);
        if (port == null) {
            throw new IllegalArgumentException("port " + key + ": unknown (expected: one of " + ports.keySet() + ")");
        }
        return port;
    }

    private void write(String owner, HadoopLab.Plan plan, Map<String, String> hdfs, Map<String, String> yarn)
            throws IOException {
        Path target = Files.createDirectories(of(owner));
        for (String pages : new String[] {"hdfs", "datanode", "static"}) {
            Files.createDirectories(target.resolve("webapps").resolve(pages));
        }
        Map<String, Map<String, String>> files = new TreeMap<>();
        files.put(CORE, core());
        files.put(HDFS, hdfs());
        files.put(YARN, yarn());
        if (plan.standby()) {
            files.get(YARN).putAll(standby());
        }
        files.put(SCHEDULER, scheduler());
        files.get(HDFS).putAll(hdfs);
        files.get(YARN).putAll(yarn);
        plan.properties()
                .forEach((name, values) ->
                        files.computeIfAbsent(name, file -> new TreeMap<>()).putAll(values));
        for (Map.Entry<String, Map<String, String>> file : files.entrySet()) {
            Files.writeString(target.resolve(file.getKey()), document(file.getValue()));
        }
        Files.writeString(target.resolve("log4j.properties"), LOGGING);
        Files.writeString(target.resolve("hadoop-metrics2.properties"), METRICS);
    }

    private Map<String, String> core() {
        Map<String, String> values = new TreeMap<>();
        values.put("fs.defaultFS", files());
        values.put("hadoop.tmp.dir", directory.resolve("tmp").toString());
        return values;
    }

    private Map<String, String> hdfs() {
        Map<String, String> values = new TreeMap<>();
        values.put("dfs.namenode.name.dir", directory.resolve("names").toUri().toString());
        values.put("dfs.replication", "1");
        values.put("dfs.namenode.http-address", HOST + ":" + port("namenode.http-address"));
        values.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
        values.put("dfs.namenode.safemode.extension", "0");
        // a NameNode sees all DataNodes at one address
        values.put("dfs.client.use.datanode.hostname", "true");
        values.put("dfs.datanode.use.datanode.hostname", "true");
        values.put("dfs.heartbeat.interval", "1");
        values.put("dfs.namenode.heartbeat.recheck-interval", "1000"); // a dead DataNode is noticed after 12 s
        return values;
    }

    private Map<String, String> yarn() {
        Map<String, String> values = new TreeMap<>();
        values.put("yarn.resourcemanager.hostname", HOST);
        for (String key : MANAGER_ADDRESSES) {
            values.put("yarn." + key, HOST + ":" + port(key));
        }
        values.put(
                "yarn.resourcemanager.scheduler.class",
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler");
        values.put("yarn.scheduler.minimum-allocation-mb", "128");
        values.put("yarn.resourcemanager.am.max-attempts", "3");
        values.put("yarn.resourcemanager.connect.retry-interval.ms", "500");
        values.put("yarn.nodemanager.resource.memory-mb", "4096");
        values.put("yarn.nodemanager.resource.cpu-vcores", "8");
        values.put("yarn.nodemanager.vmem-check-enabled", "false");
        values.put("yarn.nodemanager.resource.memory.enforced", "false"); // by cgroups, which are not there
        values.put("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.0");
        values.put("yarn.log-aggregation-enable", "true");
        values.put("yarn.nodemanager.remote-app-log-dir", "/tmp/logs");
        values.put("yarn.nodemanager.delete.debug-delay-sec", "600");
        values.put("yarn.nm.liveness-monitor.expiry-interval-ms", "15000");
        values.put("yarn.resourcemanager.nm.liveness-monitor.interval-ms", "1000");
        values.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "250");
        values.put("yarn.nodemanager.recovery.enabled", "true");
        values.put("yarn.am.liveness-monitor.expiry-interval-ms", "20000");
        values.put("yarn.resourcemanager.nodes.exclude-path", excluded().toString());
        return values;
    }

    private Map<String, String> standby() {
        Map<String, String> values = new TreeMap<>();
        values.put("yarn.resourcemanager.ha.enabled", "true");
        values.put("yarn.resourcemanager.ha.automatic-failover.enabled", "false");
        values.put("yarn.resourcemanager.ha.rm-ids", "rm1,rm2");
        values.put("yarn.resourcemanager.cluster-id", "lab");
        for (String key : MANAGER_ADDRESSES) {
            values.put("yarn." + key + ".rm1", HOST + ":" + port(key));
            values.put("yarn." + ofStandby(key), HOST + ":" + port(ofStandby(key)));
        }
        return values;
    }

    private static Map<String, String> scheduler() {
        Map<String, String> values = new TreeMap<>();
        values.put("yarn.scheduler.capacity.root.queues", "default");
        values.put("yarn.scheduler.capacity.root.default.capacity", "100");
        values.put("yarn.scheduler.capacity.root.default.maximum-capacity", "100");
        values.put("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
        values.put("yarn.scheduler.capacity.root.default.state", "RUNNING");
        return values;
    }

    private static String document(Map<String, String> values) {
        StringBuilder text = new StringBuilder("<configuration>\n");
        values.forEach((name, value) -> text.append("<property><name>")
                .append(name)
                .append("</name><value>")
                .append(value.replace("&", "&amp;").replace("<", "&lt;"))
                .append("</value></property>\n"));
        return text.append("</configuration>\n").toString();
    }
}
