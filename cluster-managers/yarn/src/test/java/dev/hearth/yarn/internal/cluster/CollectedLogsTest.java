package dev.hearth.yarn.internal.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.logaggregation.AggregatedLogFormat.LogKey;
import org.apache.hadoop.yarn.logaggregation.AggregatedLogFormat.LogValue;
import org.apache.hadoop.yarn.logaggregation.filecontroller.LogAggregationFileController;
import org.apache.hadoop.yarn.logaggregation.filecontroller.LogAggregationFileControllerContext;
import org.apache.hadoop.yarn.logaggregation.filecontroller.LogAggregationFileControllerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that a NodeManager has collected, written by its own code. */
class CollectedLogsTest {
    private static final String APPLICATION = "application_1700000000000_0001";
    private static final String CONTAINER = "container_1700000000000_0001_01_000002";

    @TempDir
    Path directory;

    private void collect(Configuration hadoop, String user) throws Exception {
        Path logs = Files.createDirectories(
                directory.resolve("node").resolve(APPLICATION).resolve(CONTAINER));
        Files.writeString(logs.resolve("stdout"), "one\ntwo\n");
        Files.writeString(logs.resolve("stderr"), "");
        Files.writeString(logs.resolve("executor-7"), "");
        ApplicationId application = ApplicationId.fromString(APPLICATION);
        UserGroupInformation owner = UserGroupInformation.createRemoteUser(user);
        LogAggregationFileController nodes =
                new LogAggregationFileControllerFactory(hadoop).getFileControllerForWrite();
        nodes.verifyAndCreateRemoteLogDir();
        nodes.createAppDir(user, application, owner);
        NodeId node = NodeId.newInstance("node7", 8041);
        LogAggregationFileControllerContext context = new LogAggregationFileControllerContext(
                nodes.getRemoteNodeLogFileForApp(application, user, node),
                new org.apache.hadoop.fs.Path(nodes.getRemoteNodeLogFileForApp(application, user, node) + ".tmp"),
                false,
                -1,
                application,
                Map.of(),
                node,
                owner);
        nodes.initializeWriter(context);
        ContainerId container = ContainerId.fromString(CONTAINER);
        nodes.write(
                new LogKey(container),
                new LogValue(List.of(directory.resolve("node").toString()), container, user));
        nodes.closeWriter();
        context.setUploadedLogsInThisCycle(true);
        nodes.postWrite(context);
    }

    @Test
    void areReadWithTheEmptyLogThatNamesAnExecutor() throws Exception {
        Configuration hadoop = new Configuration();
        hadoop.set(
                "yarn.nodemanager.remote-app-log-dir",
                directory.resolve("collected").toUri().toString());
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        HadoopLogs logs = new HadoopLogs(YarnClient.createYarnClient(), hadoop, UserGroupInformation.getCurrentUser());
        assertEquals(Map.of(), logs.collected(APPLICATION, user), "nothing is collected yet");
        collect(hadoop, user);
        assertEquals(Map.of(CONTAINER, Set.of("stdout", "stderr", "executor-7")), logs.collected(APPLICATION, user));
        assertEquals("one\ntwo\n", copied(logs, user, "stdout"));
        assertEquals("", copied(logs, user, "stderr"));
    }

    private String copied(HadoopLogs logs, String user, String log) throws IOException {
        Path target = directory.resolve("copy");
        logs.copy(APPLICATION, user, CONTAINER, log, target);
        return Files.readString(target);
    }
}
