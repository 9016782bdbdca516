package dev.hearth.yarn.internal.cluster;

import dev.hearth.yarn.internal.hadoop.UserCall;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptReport;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ContainerReport;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.ContainerNotFoundException;
import org.apache.hadoop.yarn.logaggregation.ContainerLogFileInfo;
import org.apache.hadoop.yarn.logaggregation.ContainerLogMeta;
import org.apache.hadoop.yarn.logaggregation.ContainerLogsRequest;
import org.apache.hadoop.yarn.logaggregation.filecontroller.LogAggregationFileController;
import org.apache.hadoop.yarn.logaggregation.filecontroller.LogAggregationFileControllerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs by Hadoop's client. Called under Hadoop's class loader; nodes can be asked after the session is closed. */
final class HadoopLogs implements ContainerLogs {
    private static final Logger LOG = LoggerFactory.getLogger(HadoopLogs.class);
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int BUFFER = 64 * 1024;
    private static final String NO_DIRECTORY = "Can not find remote application directory";
    private static final Pattern NO_FILE = Pattern.compile(".* does not exist\\.?\\s*");

    private final YarnClient client;
    private final Configuration configuration;
    private final UserGroupInformation owner;

    HadoopLogs(YarnClient client, Configuration configuration, UserGroupInformation owner) {
        this.client = client;
        this.configuration = configuration;
        this.owner = owner;
    }

    /** Calls Hadoop as the owner; empty if the ResourceManager does not know what is asked for. */
    private <T> Optional<T> call(PrivilegedExceptionAction<T> call) throws IOException {
        try {
            return Optional.ofNullable(UserCall.as(owner, call));
        } catch (IOException failure) {
            Throwable cause = failure.getCause();
            if (cause instanceof ApplicationNotFoundException
                    || cause instanceof ApplicationAttemptNotFoundException
                    || cause instanceof ContainerNotFoundException) {
                LOG.debug("not known to the ResourceManager", failure);
                return Optional.empty();
            }
            throw failure;
        }
    }

    @Override
    public Optional<LoggedApplication> application(String id) throws IOException {
        return call(() -> client.getApplicationReport(ApplicationId.fromString(id)))
                .map(report -> new LoggedApplication(
                        report.getUser(), attempt(report), hasEnded(report), collection(report), page(report)));
    }

    private static int attempt(ApplicationReport report) {
        return report.getCurrentApplicationAttemptId() == null
                ? 1
                : Math.max(1, report.getCurrentApplicationAttemptId().getAttemptId());
    }

    private static boolean hasEnded(ApplicationReport report) {
        YarnApplicationState state = report.getYarnApplicationState();
        return state == YarnApplicationState.FINISHED
                || state == YarnApplicationState.FAILED
                || state == YarnApplicationState.KILLED;
    }

    private static String collection(ApplicationReport report) {
        return report.getLogAggregationStatus() == null
                ? ""
                : report.getLogAggregationStatus().name();
    }

    private static String page(ApplicationReport report) {
        String url = report.getTrackingUrl();
        return url == null || url.equals("N/A") ? "" : url;
    }

    @Override
    public List<Place> living(String application, int attempt) throws IOException {
        List<Place> places = new ArrayList<>();
        for (ContainerReport container : call(() -> client.getContainers(attemptId(application, attempt)))
                .orElse(List.of())) {
            place(container).ifPresent(places::add);
        }
        return places;
    }

    private static ApplicationAttemptId attemptId(String application, int attempt) {
        return ApplicationAttemptId.newInstance(ApplicationId.fromString(application), attempt);
    }

    private Optional<Place> place(ContainerReport container) {
        String node = container.getNodeHttpAddress();
        if (node == null || node.isEmpty() || container.getContainerState() == ContainerState.COMPLETE) {
            return Optional.empty();
        }
        return Optional.of(new Place(
                container.getContainerId().toString(),
                node.matches("https?://.*")
                        ? node
                        : (configuration.get("yarn.http.policy", "").equals("HTTPS_ONLY") ? "https://" : "http://")
                                + node));
    }

    @Override
    public Optional<Place> master(String application, int attempt) throws IOException {
        Optional<ApplicationAttemptReport> report =
                call(() -> client.getApplicationAttemptReport(attemptId(application, attempt)));
        if (report.isEmpty() || report.get().getAMContainerId() == null) {
            return Optional.empty();
        }
        return call(() -> client.getContainerReport(report.get().getAMContainerId()))
                .flatMap(this::place);
    }

    @Override
    public Optional<NodePart> onNode(Place place, String log, long tail, long from, int max) {
        URI address = URI.create(
                place.node() + "/ws/v1/node/containerlogs/" + place.container() + "/" + log + "?size=" + -tail);
        try {
            HttpURLConnection connection = open(address);
            try {
                if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
                    LOG.debug("{}: {}", address, connection.getResponseCode());
                    return Optional.empty();
                }
                try (InputStream in = new BufferedInputStream(connection.getInputStream(), BUFFER)) {
                    return Optional.of(part(in, tail, from, max));
                }
            } finally {
                connection.disconnect();
            }
        } catch (IOException gone) {
            LOG.debug("{}", address, gone);
            return Optional.empty();
        }
    }

    private HttpURLConnection open(URI address) throws IOException {
        HttpURLConnection connection = UserGroupInformation.isSecurityEnabled()
                ? UserCall.as(owner, () -> authenticated(address))
                : (HttpURLConnection) address.toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        return connection;
    }

    private static HttpURLConnection authenticated(URI address) throws IOException {
        try {
            return new AuthenticatedURL().openConnection(address.toURL(), new AuthenticatedURL.Token());
        } catch (AuthenticationException refused) {
            throw new IOException(refused.getMessage(), refused);
        }
    }

    private static NodePart part(InputStream in, long tail, long from, int max) throws IOException {
        LogHead head = LogHead.read(in);
        long begin = Math.max(0, head.length() - tail);
        long wanted = Math.min(Math.max(begin, from), head.length());
        in.skipNBytes(wanted - begin);
        byte[] bytes = in.readNBytes((int) Math.min(max, head.length() - wanted));
        boolean isWhole = wanted + bytes.length == head.length();
        return new NodePart(head.length(), wanted, bytes, isWhole && LogHead.hasEnded(in));
    }

    private LogAggregationFileController controller(String application, String user) throws IOException {
        return new LogAggregationFileControllerFactory(configuration)
                .getFileControllerForRead(ApplicationId.fromString(application), user);
    }

    private static ContainerLogsRequest request(String application, String user) {
        ContainerLogsRequest request = new ContainerLogsRequest();
        request.setAppId(ApplicationId.fromString(application));
        request.setAppOwner(user);
        request.setAppFinished(true);
        request.setContainerState(ContainerState.COMPLETE);
        return request;
    }

    @Override
    public Map<String, Set<String>> collected(String application, String user) throws IOException {
        Map<String, Set<String>> collected = new LinkedHashMap<>();
        try {
            for (ContainerLogMeta container : UserCall.as(
                    owner, () -> controller(application, user).readAggregatedLogsMeta(request(application, user)))) {
                Set<String> names =
                        collected.computeIfAbsent(container.getContainerId(), added -> new LinkedHashSet<>());
                container.getContainerLogMeta().stream()
                        .map(ContainerLogFileInfo::getFileName)
                        .forEach(names::add);
            }
        } catch (IOException failure) {
            if (!isNothingThere(failure)) {
                throw failure;
            }
            LOG.debug("logs of {}", application, failure);
        }
        return collected;
    }

    /** Whether a failure says of each directory with collected logs that it does not exist. */
    private static boolean isNothingThere(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return failure instanceof FileNotFoundException
                || message.contains(NO_DIRECTORY)
                || (!message.isBlank()
                        && message.lines()
                                .filter(line -> !line.isBlank())
                                .allMatch(line -> NO_FILE.matcher(line).matches()));
    }

    @Override
    public void copy(String application, String user, String container, String log, Path target) throws IOException {
        Path whole = Files.createTempFile("hearth-logs-", "");
        try {
            ContainerLogsRequest request = request(application, user);
            request.setContainerId(container);
            request.setLogTypes(new LinkedHashSet<>(Set.of(log)));
            request.setBytes(Long.MAX_VALUE);
            try (OutputStream out = Files.newOutputStream(whole)) {
                UserCall.as(owner, () -> controller(application, user).readAggregatedLogs(request, out));
            }
            contents(whole, log, target);
        } finally {
            Files.delete(whole);
        }
    }

    /** Writes the contents of all pieces of a log, each of which has a head. */
    private static void contents(Path whole, String log, Path target) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(whole), BUFFER);
                OutputStream out = Files.newOutputStream(target)) {
            byte[] buffer = new byte[BUFFER];
            for (Optional<LogHead> head = LogHead.next(in); head.isPresent(); head = LogHead.next(in)) {
                long left = head.get().length();
                while (left > 0) {
                    int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                    if (read < 0) {
                        throw new IOException("collected log " + log + ": ends " + left + " bytes too early (expected: "
                                + head.get().length() + " bytes)");
                    }
                    out.write(buffer, 0, read);
                    left -= read;
                }
            }
        }
    }

    @Override
    public String user() {
        return owner.getShortUserName();
    }
}
