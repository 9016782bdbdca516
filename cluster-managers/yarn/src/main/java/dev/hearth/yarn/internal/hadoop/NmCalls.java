package dev.hearth.yarn.internal.hadoop;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.GrantedContainer;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.NMTokenCache;

/** Calls to NodeManagers by one client of Hadoop, with tokens of its application. Thread-safe. */
final class NmCalls implements ContainerCalls {
    private final LineIdentity identity;
    private final KnownContainers containers;
    private final NMTokenCache tokens;
    private NMClient client; // guarded by this; made by the first call

    NmCalls(LineIdentity identity, KnownContainers containers, NMTokenCache tokens) {
        this.identity = identity;
        this.containers = containers;
        this.tokens = tokens;
    }

    private synchronized NMClient client() {
        if (client == null) {
            NMClient made = NMClient.createNMClient();
            made.setNMTokenCache(tokens);
            made.cleanupRunningContainersOnStop(false); // a later attempt takes them over
            made.init(identity.toNodes());
            made.start();
            client = made;
        }
        return client;
    }

    @Override
    public void start(GrantedContainer granted, ContainerLaunch launch) throws Exception {
        Container container = containers
                .find(granted.id())
                .orElseThrow(() -> ErrorCode.START_FAILED.failure("container " + granted.id()
                        + ": not held by this application any more (expected: until its start)"));
        ContainerLaunchContext context = HadoopRecords.launchContext(launch);
        identity.user().doAs((PrivilegedExceptionAction<Object>) () -> client().startContainer(container, context));
    }

    @Override
    public void stop(GrantedContainer granted) throws Exception {
        identity.user().doAs((PrivilegedExceptionAction<Object>) () -> {
            client().stopContainer(ContainerId.fromString(granted.id()), NodeId.fromString(granted.node()));
            return granted;
        });
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.stop();
        }
    }
}
