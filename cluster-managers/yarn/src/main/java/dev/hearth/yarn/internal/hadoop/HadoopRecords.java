package dev.hearth.yarn.internal.hadoop;

import dev.hearth.spi.net.Bytes;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerFile;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.EndedContainer;
import dev.hearth.yarn.internal.line.FinalOutcome;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.HostChange;
import dev.hearth.yarn.internal.line.LineReport;
import dev.hearth.yarn.internal.line.PreemptionNotice;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.URL;
import org.jspecify.annotations.Nullable;

/** Translates between records of Hadoop and those of the line. Stateless. */
public final class HadoopRecords {
    private HadoopRecords() {}

    /** Size of a container for Hadoop. */
    public static Resource resource(ContainerCapability capability) {
        Resource resource = Resource.newInstance(capability.memoryMebibytes(), capability.cores());
        capability.resources().forEach(resource::setResourceValue);
        return resource;
    }

    static ContainerCapability capability(Resource resource) {
        Map<String, Long> others = new TreeMap<>();
        for (ResourceInformation each : resource.getResources()) {
            boolean isOther = !each.getName().equals(ResourceInformation.MEMORY_URI)
                    && !each.getName().equals(ResourceInformation.VCORES_URI);
            if (isOther && each.getValue() != 0) {
                others.put(each.getName(), each.getValue());
            }
        }
        return new ContainerCapability(resource.getMemorySize(), resource.getVirtualCores(), others);
    }

    static GrantedContainer granted(Container container, Function<String, String> racks) {
        String host = container.getNodeId().getHost();
        return new GrantedContainer(
                container.getId().toString(),
                host,
                container.getNodeId().toString(),
                container.getNodeHttpAddress(),
                racks.apply(host),
                capability(container.getResource()),
                container.getPriority().getPriority(),
                Math.max(0, container.getAllocationRequestId()));
    }

    static LineReport report(AllocateResponse response, Function<String, String> racks) {
        return new LineReport(
                response.getAllocatedContainers().stream()
                        .map(container -> granted(container, racks))
                        .toList(),
                response.getCompletedContainersStatuses().stream()
                        .map(HadoopRecords::ended)
                        .toList(),
                response.getUpdatedNodes().stream().map(HadoopRecords::change).toList(),
                notice(response.getPreemptionMessage()),
                response.getAvailableResources() == null
                        ? ContainerCapability.NONE
                        : capability(response.getAvailableResources()),
                response.getNumClusterNodes());
    }

    static EndedContainer ended(ContainerStatus status) {
        String diagnostics = status.getDiagnostics();
        return new EndedContainer(
                status.getContainerId().toString(), status.getExitStatus(), diagnostics == null ? "" : diagnostics);
    }

    static HostChange change(NodeReport report) {
        HostChange.State state = switch (report.getNodeState()) {
            case NEW, RUNNING, REBOOTED -> HostChange.State.USABLE;
            case DECOMMISSIONING -> HostChange.State.DECOMMISSIONING;
            case UNHEALTHY, DECOMMISSIONED, LOST, SHUTDOWN -> HostChange.State.GONE;
        };
        Integer timeout = report.getDecommissioningTimeout();
        return new HostChange(
                report.getNodeId().getHost(),
                state,
                timeout == null || timeout < 0 ? OptionalInt.empty() : OptionalInt.of(timeout));
    }

    static PreemptionNotice notice(PreemptionMessage message) {
        if (message == null) {
            return PreemptionNotice.NONE;
        }
        return new PreemptionNotice(
                message.getStrictContract() == null
                        ? Set.of()
                        : ids(message.getStrictContract().getContainers()),
                message.getContract() == null
                        ? Set.of()
                        : ids(message.getContract().getContainers()));
    }

    private static Set<String> ids(Set<PreemptionContainer> containers) {
        Set<String> ids = new LinkedHashSet<>();
        containers.forEach(container -> ids.add(container.getId().toString()));
        return ids;
    }

    /** A tracking URL as Hadoop's client takes it. */
    static @Nullable String link(String address) {
        return address.isEmpty() ? null : address;
    }

    static FinalApplicationStatus status(FinalOutcome outcome) {
        return switch (outcome) {
            case SUCCEEDED -> FinalApplicationStatus.SUCCEEDED;
            case FAILED -> FinalApplicationStatus.FAILED;
            case KILLED -> FinalApplicationStatus.KILLED;
        };
    }

    /** The launch context of a container. */
    public static ContainerLaunchContext launchContext(ContainerLaunch launch) throws IOException {
        Map<String, LocalResource> files = new LinkedHashMap<>();
        launch.files().forEach(file -> files.put(file.link(), localResource(file)));
        Map<ApplicationAccessType, String> acls = new EnumMap<>(ApplicationAccessType.class);
        launch.acls().forEach((type, users) -> acls.put(ApplicationAccessType.valueOf(type), users));
        return ContainerLaunchContext.newInstance(
                files,
                new LinkedHashMap<>(launch.environment()),
                List.copyOf(launch.command()),
                null,
                credentials(launch.secrets(), launch.tokens()),
                acls);
    }

    private static LocalResource localResource(ContainerFile file) {
        return LocalResource.newInstance(
                URL.fromURI(URI.create(file.address())),
                switch (file.kind()) {
                    case FILE -> LocalResourceType.FILE;
                    case ARCHIVE -> LocalResourceType.ARCHIVE;
                },
                switch (file.visibility()) {
                    case PUBLIC -> LocalResourceVisibility.PUBLIC;
                    case PRIVATE -> LocalResourceVisibility.PRIVATE;
                    case APPLICATION -> LocalResourceVisibility.APPLICATION;
                },
                file.bytes(),
                file.changedMillis());
    }

    /** The content of a credentials file with {@code secrets} and the tokens of the token file {@code tokens}. */
    static ByteBuffer credentials(Map<String, Bytes> secrets, Bytes tokens) throws IOException {
        Credentials credentials = new Credentials();
        if (tokens.size() > 0) {
            credentials.readTokenStorageStream(new DataInputStream(tokens.stream()));
        }
        secrets.forEach((alias, secret) -> credentials.addSecretKey(new Text(alias), secret.toArray()));
        DataOutputBuffer out = new DataOutputBuffer();
        credentials.writeTokenStorageToStream(out);
        return ByteBuffer.wrap(out.getData(), 0, out.getLength());
    }
}
