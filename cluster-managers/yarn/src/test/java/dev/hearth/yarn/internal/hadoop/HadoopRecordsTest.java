package dev.hearth.yarn.internal.hadoop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.net.Bytes;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerFile;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.EndedContainer;
import dev.hearth.yarn.internal.line.LineReport;
import dev.hearth.yarn.internal.line.NodeChange;
import dev.hearth.yarn.internal.line.PreemptionNotice;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.StrictPreemptionContract;
import org.junit.jupiter.api.Test;

/** Translates records of Hadoop 3.5.0 without a cluster. */
class HadoopRecordsTest {
    private static final ContainerId ID = ContainerId.newContainerId(
            ApplicationAttemptId.newInstance(ApplicationId.newInstance(1_700_000_000_000L, 1), 2), 7);

    @Test
    void putsSecretsAndTokensIntoTheCredentialsOfAContainer() throws IOException {
        Credentials before = new Credentials();
        before.addToken(
                new Text("files"), new Token<>(new byte[] {1}, new byte[] {2}, new Text("KIND"), new Text("service")));
        DataOutputBuffer written = new DataOutputBuffer();
        before.writeTokenStorageToStream(written);
        byte[] tokens = new byte[written.getLength()];
        System.arraycopy(written.getData(), 0, tokens, 0, tokens.length);
        ContainerLaunchContext context = HadoopRecords.launchContext(new ContainerLaunch(
                ID.toString(),
                List.of("run"),
                Map.of("A", "b"),
                List.of(new ContainerFile(
                        "hearth",
                        "hdfs://nn:8020/a%20b.tar",
                        12,
                        34,
                        ContainerFile.Kind.ARCHIVE,
                        ContainerFile.Visibility.PRIVATE)),
                Map.of("hearth.order.x", Bytes.owning(new byte[] {9})),
                Bytes.owning(tokens),
                Map.of("VIEW_APP", "alice")));
        Credentials read = new Credentials();
        byte[] content = new byte[context.getTokens().remaining()];
        context.getTokens().duplicate().get(content);
        read.readTokenStorageStream(new DataInputStream(new ByteArrayInputStream(content)));
        assertArrayEquals(new byte[] {9}, read.getSecretKey(new Text("hearth.order.x")));
        assertEquals(new Text("service"), read.getToken(new Text("files")).getService());
        LocalResource file = context.getLocalResources().get("hearth");
        assertEquals(LocalResourceType.ARCHIVE, file.getType());
        assertEquals(12, file.getSize());
        assertEquals("/a b.tar", file.getResource().getFile());
        assertEquals(Map.of(ApplicationAccessType.VIEW_APP, "alice"), context.getApplicationACLs());
        assertEquals(List.of("run"), context.getCommands());
    }

    @Test
    void readsAReportOfTheResourceManager() {
        NodeId node = NodeId.newInstance("host-1", 4711);
        Container granted = Container.newInstance(
                ID, node, "host-1:8042", Resource.newInstance(1024, 2), Priority.newInstance(3), null);
        NodeReport leaving =
                NodeReport.newInstance(node, NodeState.DECOMMISSIONING, "host-1:8042", "/r", null, null, 0, null, 0L);
        leaving.setDecommissioningTimeout(60);
        StrictPreemptionContract strict =
                StrictPreemptionContract.newInstance(Set.of(PreemptionContainer.newInstance(ID)));
        LineReport report = HadoopRecords.report(
                AllocateResponse.newInstance(
                        1,
                        List.of(ContainerStatus.newInstance(ID, ContainerState.COMPLETE, "killed", 137)),
                        List.of(granted),
                        List.of(leaving),
                        Resource.newInstance(4096, 8),
                        null,
                        5,
                        PreemptionMessage.newInstance(strict, null),
                        List.of()),
                host -> "/rack-of-" + host);
        assertEquals(List.of(new EndedContainer(ID.toString(), 137, "killed")), report.ended());
        assertEquals("/rack-of-host-1", report.granted().get(0).rack());
        assertEquals("host-1:4711", report.granted().get(0).node());
        assertEquals(
                new ContainerCapability(1024, 2, Map.of()),
                report.granted().get(0).capability());
        assertEquals(3, report.granted().get(0).priority());
        assertEquals(
                List.of(new NodeChange("host-1", NodeChange.State.DECOMMISSIONING, OptionalInt.of(60))),
                report.changes());
        assertEquals(new PreemptionNotice(Set.of(ID.toString()), Set.of()), report.preemption());
        assertEquals(new ContainerCapability(4096, 8, Map.of()), report.headroom());
        assertEquals(5, report.nodes());
    }

    @Test
    void readsAReportWithoutHeadroomAndNotice() {
        LineReport report = HadoopRecords.report(
                AllocateResponse.newInstance(1, List.of(), List.of(), List.of(), null, null, 0, null, List.of()),
                host -> "");
        assertEquals(ContainerCapability.NONE, report.headroom());
        assertEquals(PreemptionNotice.NONE, report.preemption());
    }

    @Test
    void knowsEachStateOfANode() {
        for (NodeState state : NodeState.values()) {
            NodeReport report =
                    NodeReport.newInstance(NodeId.newInstance("h", 1), state, "", "", null, null, 0, null, 0L);
            NodeChange change = HadoopRecords.change(report);
            boolean isGone = state.isInactiveState() || state == NodeState.UNHEALTHY;
            boolean isRebooted = state == NodeState.REBOOTED; // it takes containers again
            assertEquals(isGone && !isRebooted, change.state() == NodeChange.State.GONE, state.name());
        }
    }
}
