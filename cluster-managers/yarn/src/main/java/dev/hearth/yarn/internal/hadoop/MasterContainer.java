package dev.hearth.yarn.internal.hadoop;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.settings.Settings;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/** The container of an application master, as its environment describes it. Stateless. */
public final class MasterContainer {
    private static final String CONTAINER = "CONTAINER_ID";
    private static final String CREDENTIALS = "HADOOP_TOKEN_FILE_LOCATION";
    private static final String HOST = "NM_HOST";
    private static final String HADOOP_USER = "HADOOP_USER_NAME";
    private static final String USER = "USER";

    private MasterContainer() {}

    /** Id of the container. */
    public static String id(Map<String, String> environment) {
        return variable(environment, CONTAINER);
    }

    /** Host of the container's node. */
    public static String host(Map<String, String> environment) {
        return variable(environment, HOST);
    }

    /**
     * The attempt whose master runs in the container, with the tokens of the container. Fails with {@code START_FAILED} in a
     * process that has no container, or whose credentials cannot be read.
     */
    public static LineIdentity identity(HadoopRuntime runtime, Settings settings, Map<String, String> environment)
            throws Exception {
        return runtime.call(() -> {
            Configuration configuration = runtime.configuration(settings);
            AuditMark.keep(settings, configuration);
            UserGroupInformation user = UserGroupInformation.createRemoteUser(
                    environment.getOrDefault(HADOOP_USER, variable(environment, USER)));
            user.addCredentials(credentials(new File(variable(environment, CREDENTIALS)), configuration));
            return new LineIdentity(
                    ContainerId.fromString(id(environment)).getApplicationAttemptId(),
                    host(environment),
                    configuration,
                    user);
        });
    }

    /** Token file with the tokens of {@code identity} that executors may have: all but that of the application master. */
    public static Bytes tokens(HadoopRuntime runtime, LineIdentity identity) throws Exception {
        return runtime.call(() -> {
            Credentials shared = new Credentials();
            identity.user().getCredentials().getTokenMap().forEach((alias, token) -> {
                if (!token.getKind().equals(AMRMTokenIdentifier.KIND_NAME)) {
                    shared.addToken(alias, token);
                }
            });
            if (shared.numberOfTokens() == 0) {
                return Bytes.EMPTY;
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            shared.writeTokenStorageToStream(new DataOutputStream(bytes));
            return Bytes.owning(bytes.toByteArray());
        });
    }

    private static Credentials credentials(File file, Configuration configuration) {
        try {
            return Credentials.readTokenStorageFile(file, configuration);
        } catch (IOException unreadable) {
            throw ErrorCode.START_FAILED.failure(
                    "credentials of the container, " + file + ": " + unreadable.getMessage()
                            + " (expected: the file that the NodeManager has written)",
                    unreadable);
        }
    }

    private static String variable(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "");
        if (value.isBlank()) {
            throw ErrorCode.START_FAILED.failure("variable " + name
                    + ": not set (expected: in a container of YARN); application masters are started by YARN alone");
        }
        return value;
    }
}
