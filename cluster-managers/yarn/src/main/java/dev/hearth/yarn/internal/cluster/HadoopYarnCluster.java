package dev.hearth.yarn.internal.cluster;

import dev.hearth.yarn.internal.hadoop.ConstrainedRequests;
import dev.hearth.yarn.internal.hadoop.HadoopRecords;
import dev.hearth.yarn.internal.hadoop.UserCall;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.settings.QueueSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptReport;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ApplicationTimeoutType;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerReport;
import org.apache.hadoop.yarn.api.records.LogAggregationContext;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceTypeInfo;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.util.Records;

/** Client of a ResourceManager by Hadoop's {@link YarnClient}. Called under Hadoop's class loader. */
public final class HadoopYarnCluster implements YarnCluster {
    /** Kind of scheduler, as queues name it. */
    private static final String CAPACITY_SCHEDULER = "CapacityScheduler";

    private final UserGroupInformation owner;
    private final YarnClient client;
    private final Configuration configuration;

    /** Starts a client, which connects with its first call. */
    public HadoopYarnCluster(Configuration given, UserGroupInformation owner) {
        this.owner = owner;
        configuration = new Configuration(given);
        // the service of histories needs classes that are not here, and submitters ask the ResourceManager alone
        configuration.setBoolean("yarn.timeline-service.enabled", false);
        configuration.setIfUnset("yarn.client.application-client-protocol.poll-interval-ms", "50");
        client = YarnClient.createYarnClient();
        client.init(configuration);
        client.start();
    }

    /** Logs of the applications, which {@code owner} reads. */
    ContainerLogs logs(Configuration given, UserGroupInformation owner) {
        return new HadoopLogs(client, given, owner);
    }

    /** Call of Hadoop's client. */
    @FunctionalInterface
    private interface Call<T> {
        T run() throws IOException, YarnException;
    }

    /** Calls as the owner of the client: a client that turns to another ResourceManager logs in again. */
    private <T> T call(Call<T> call) throws IOException {
        return UserCall.as(owner, call::run);
    }

    @Override
    public NewApplication create() throws IOException {
        YarnClientApplication application = call(client::createApplication);
        GetNewApplicationResponse answer = application.getNewApplicationResponse();
        return new NewApplication(
                answer.getApplicationId().toString(), capability(answer.getMaximumResourceCapability()));
    }

    private static ContainerCapability capability(Resource resource) {
        Map<String, Long> others = new LinkedHashMap<>();
        for (ResourceInformation each : resource.getResources()) {
            if (!each.getName().equals(ResourceInformation.MEMORY_URI)
                    && !each.getName().equals(ResourceInformation.VCORES_URI)) {
                others.put(each.getName(), each.getValue());
            }
        }
        return new ContainerCapability(resource.getMemorySize(), resource.getVirtualCores(), others);
    }

    /**
     * The token of an application master that is not in a container; empty until the ResourceManager waits for it to
     * register.
     */
    public Optional<Token<AMRMTokenIdentifier>> masterToken(String application) throws IOException {
        return Optional.ofNullable(call(() -> client.getAMRMToken(ApplicationId.fromString(application))));
    }

    @Override
    public Optional<String> constraintProblem(String constraint) {
        return constraint.isEmpty() ? Optional.empty() : ConstrainedRequests.problem(constraint);
    }

    @Override
    public ClusterFacts facts(String queue) throws IOException {
        Set<String> types = new LinkedHashSet<>();
        for (ResourceTypeInfo type : call(client::getResourceTypeInfo)) {
            types.add(type.getName());
        }
        Set<String> labels = new LinkedHashSet<>();
        for (NodeLabel label : call(client::getClusterNodeLabels)) {
            labels.add(label.getName());
        }
        Optional<ClusterFacts.QueueFacts> named = queue(queue);
        return new ClusterFacts(
                ContainerCapability.NONE,
                types,
                named,
                named.isEmpty() && mayCreate(queue),
                labels,
                call(client::getYarnClusterMetrics).getNumNodeManagers());
    }

    /**
     * Whether the scheduler may create a queue for a submission to it. The capacity scheduler does so only below a queue that
     * exists; others by rules that no client can read.
     */
    private boolean mayCreate(String name) throws IOException {
        boolean byCapacity = call(client::getRootQueueInfos).stream()
                .anyMatch(root -> CAPACITY_SCHEDULER.equals(root.getSchedulerType()));
        int parent = name.lastIndexOf('.');
        return !byCapacity || (parent > 0 && queue(name.substring(0, parent)).isPresent());
    }

    private Optional<ClusterFacts.QueueFacts> queue(String name) throws IOException {
        QueueInfo found = call(() -> client.getQueueInfo(name));
        return Optional.ofNullable(found)
                .map(queue -> new ClusterFacts.QueueFacts(
                        queue.getQueueName(),
                        queue.getQueueState() == QueueState.RUNNING,
                        queue.getChildQueues() != null
                                && !queue.getChildQueues().isEmpty()));
    }

    @Override
    public void submit(ApplicationRequest request) throws IOException {
        ApplicationSubmissionContext context = context(request);
        call(() -> client.submitApplication(context));
    }

    private ApplicationSubmissionContext context(ApplicationRequest request) throws IOException {
        QueueSettings queue = request.queue();
        ApplicationSubmissionContext context = Records.newRecord(ApplicationSubmissionContext.class);
        context.setApplicationId(ApplicationId.fromString(request.id()));
        context.setApplicationName(request.name());
        context.setQueue(queue.queue());
        context.setApplicationType(queue.type());
        context.setApplicationTags(new LinkedHashSet<>(request.tags()));
        context.setKeepContainersAcrossApplicationAttempts(request.keepsContainers());
        queue.priority().ifPresent(priority -> context.setPriority(Priority.newInstance(priority)));
        queue.attemptsMax().ifPresent(context::setMaxAppAttempts);
        queue.attemptsValid().ifPresent(time -> context.setAttemptFailuresValidityInterval(time.toMillis()));
        queue.lifetime()
                .ifPresent(time ->
                        context.setApplicationTimeouts(Map.of(ApplicationTimeoutType.LIFETIME, time.toSeconds())));
        if (queue.rolledInclude().isPresent() || queue.rolledExclude().isPresent()) {
            LogAggregationContext logs = Records.newRecord(LogAggregationContext.class);
            queue.rolledInclude().ifPresent(logs::setRolledLogsIncludePattern);
            queue.rolledExclude().ifPresent(logs::setRolledLogsExcludePattern);
            context.setLogAggregationContext(logs);
        }
        Resource resource = HadoopRecords.resource(request.capability());
        context.setResource(resource);
        if (!queue.nodeLabel().isEmpty()) {
            ResourceRequest master =
                    ResourceRequest.newInstance(Priority.newInstance(0), ResourceRequest.ANY, resource, 1);
            master.setNodeLabelExpression(queue.nodeLabel());
            context.setAMContainerResourceRequests(new ArrayList<>(List.of(master)));
        }
        context.setUnmanagedAM(request.launch().isEmpty());
        context.setAMContainerSpec(launchContext(request.launch(), queue));
        return context;
    }

    private ContainerLaunchContext launchContext(Optional<ContainerLaunch> launch, QueueSettings queue)
            throws IOException {
        if (launch.isEmpty()) {
            return Records.newRecord(ContainerLaunchContext.class);
        }
        ContainerLaunchContext context = HadoopRecords.launchContext(launch.get());
        if (queue.tokenConf().isPresent()) {
            String pattern = queue.tokenConf().get();
            Configuration few = new Configuration(false);
            for (Map.Entry<String, String> entry : configuration) {
                if (entry.getKey().matches(pattern)) {
                    few.set(entry.getKey(), configuration.get(entry.getKey()));
                }
            }
            DataOutputBuffer out = new DataOutputBuffer();
            few.write(out);
            context.setTokensConf(ByteBuffer.wrap(out.getData(), 0, out.getLength()));
        }
        return context;
    }

    @Override
    public Optional<ClusterReport> report(String application) throws IOException {
        try {
            return Optional.of(report(call(() -> client.getApplicationReport(ApplicationId.fromString(application)))));
        } catch (IOException failure) {
            if (failure.getCause() instanceof ApplicationNotFoundException) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private static ClusterReport report(ApplicationReport report) {
        return new ClusterReport(
                report.getApplicationId().toString(),
                ClusterReport.State.valueOf(report.getYarnApplicationState().name()),
                ClusterReport.Outcome.valueOf(report.getFinalApplicationStatus().name()),
                report.getClientToAMToken() == null
                        ? ""
                        : report.getClientToAMToken().toString(),
                text(report.getDiagnostics()),
                text(report.getHost()),
                report.getRpcPort(),
                text(report.getQueue()),
                report.getStartTime(),
                report.getLaunchTime(),
                report.getFinishTime(),
                text(report.getTrackingUrl()),
                text(report.getUser()),
                text(report.getName()),
                report.getCurrentApplicationAttemptId() == null
                        ? 1
                        : Math.max(1, report.getCurrentApplicationAttemptId().getAttemptId()));
    }

    private static String text(String given) {
        return given == null ? "" : given;
    }

    @Override
    public List<ClusterReport> withTag(String tag) throws IOException {
        List<ClusterReport> found = new ArrayList<>();
        for (ApplicationReport report :
                call(() -> client.getApplications(null, EnumSet.allOf(YarnApplicationState.class), Set.of(tag)))) {
            found.add(report(report));
        }
        return found;
    }

    @Override
    public List<ClusterReport> ofType(String type) throws IOException {
        List<ClusterReport> found = new ArrayList<>();
        for (ApplicationReport report : call(() -> client.getApplications(Set.of(type)))) {
            found.add(report(report));
        }
        return found;
    }

    @Override
    public void kill(String application, String words) throws IOException {
        call(() -> {
            client.killApplication(ApplicationId.fromString(application), words);
            return true;
        });
    }

    @Override
    public Map<String, String> driverLogs(ClusterReport report) throws IOException {
        ApplicationReport now = call(() -> client.getApplicationReport(ApplicationId.fromString(report.application())));
        if (now.getCurrentApplicationAttemptId() == null) {
            return Map.of();
        }
        ApplicationAttemptReport attempt =
                call(() -> client.getApplicationAttemptReport(now.getCurrentApplicationAttemptId()));
        if (attempt.getAMContainerId() == null) {
            return Map.of();
        }
        ContainerReport container = call(() -> client.getContainerReport(attempt.getAMContainerId()));
        String node = text(container.getNodeHttpAddress()).replaceFirst("^https?://", "");
        String scheme = text(container.getNodeHttpAddress()).startsWith("https:") ? "https" : "http";
        return node.isEmpty()
                ? Map.of()
                : DriverLogLinks.of(scheme, node, attempt.getAMContainerId().toString(), report.user());
    }

    @Override
    public void close() {
        client.stop();
    }
}
