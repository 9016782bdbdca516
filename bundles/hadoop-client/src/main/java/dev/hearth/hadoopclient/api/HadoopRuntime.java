package dev.hearth.hadoopclient.api;

import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Hadoop's client classes in this process: their configuration, and calls into them. A service, which ends with the
 * bundle that contains these classes. Thread-safe.
 * <p>Hadoop finds classes and resources by the context class loader. Outside {@link #call}, and outside the threads of
 * applications that ask for Hadoop's packages, its tables would be filled from a loader that knows none of them.
 */
@ProviderType
public interface HadoopRuntime {
    /**
     * A new configuration for an application with {@code settings}, which the caller owns. It contains Hadoop's
     * defaults, the {@link #siteFiles site files} and the settings {@code hearth.hadoop.*}; later ones override earlier
     * ones.
     */
    Configuration configuration(Settings settings);

    /** A configuration as above, with the site files of {@code directories} instead of those of this process. */
    Configuration configuration(Settings settings, List<Path> directories);

    /**
     * Origin of the value of {@code key} in a configuration of this service, for people: a file, a setting, or an
     * environment variable. Empty if the key is not set.
     */
    Optional<String> origin(Configuration configuration, String key);

    /**
     * Files {@code *.xml} of this process's configuration of Hadoop, by their names. A file in the directory of
     * Hearth's settings precedes one of the same name in HADOOP_CONF_DIR, and that one precedes YARN_CONF_DIR.
     */
    Map<String, Path> siteFiles();

    /** Files {@code *.xml} of {@code directories} by their names; of two with one name, the first. */
    Map<String, Path> siteFiles(List<Path> directories);

    /**
     * The user as whom an application with {@code settings} acts at Hadoop; see {@link HadoopIdentity}. Applications with
     * one identity share a user, whose login this service keeps. In executors it is the login of the process, which has
     * the tokens of the application. Fails with {@code BAD_SETTING} if there is no login.
     */
    UserGroupInformation user(Settings settings, Configuration configuration) throws IOException;

    /** Life of the ticket by which {@code user} gets those of services; empty for a user without Kerberos. */
    Optional<TicketLife> ticket(UserGroupInformation user) throws IOException;

    /**
     * Calls Hadoop on the current thread under its class loader, and restores the thread's own. Returns and throws what
     * {@code action} does.
     */
    <T> T call(Callable<T> action) throws Exception;

    /**
     * Begins to start Hadoop on a thread of its own, and returns at once. For callers that will need it after other work; a
     * failure is reported to the first who does. If not overridden, does nothing.
     */
    default void begin() {
        // a runtime that starts at once gains nothing
    }

    /**
     * Loads the classes that clients of YARN and HDFS need, and those of the jar of {@code user}, in a process that writes
     * the archive of classes. If not overridden, does nothing.
     */
    default void prepare(Class<?> user) throws Exception {
        // a runtime without a list of classes gains nothing
    }

    /**
     * As {@link #prepare}, for processes that submit to YARN and run no driver: fewer classes of Hadoop, and those of the
     * jar of {@code user} in {@code packages}.
     */
    default void prepareSubmission(Class<?> user, Set<String> packages) throws Exception {
        // a runtime without a list of classes gains nothing
    }
}
