package dev.hearth.yarn.internal.cluster;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.settings.Secrets;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.time.Ticker;
import dev.hearth.yarn.internal.hadoop.AuditMark;
import dev.hearth.yarn.internal.hadoop.UserCall;
import dev.hearth.yarn.internal.settings.KerberosSettings;
import dev.hearth.yarn.internal.settings.StagingSettings;
import dev.hearth.yarn.internal.site.HadoopSite;
import dev.hearth.yarn.internal.store.HadoopStoreFiles;
import dev.hearth.yarn.internal.store.StoreFiles;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

/** Session by Hadoop's client classes. Its methods run under Hadoop's class loader, as its owner sees to. */
public final class HadoopSession implements YarnSession {
    private static final String RETRY = "yarn.resourcemanager.connect.retry-interval.ms";

    private final HadoopRuntime runtime;
    private final Configuration configuration;
    private final KerberosSettings kerberos;
    private final UserGroupInformation owner;
    private final HadoopStoreFiles files;
    private final HadoopYarnCluster cluster;
    private final String stagingRoot;
    private final String storeRoot;

    private HadoopSession(
            HadoopRuntime runtime,
            Configuration configuration,
            KerberosSettings kerberos,
            UserGroupInformation owner,
            HadoopStoreFiles files,
            HadoopYarnCluster cluster,
            StagingSettings staging) {
        this.runtime = runtime;
        this.configuration = configuration;
        this.kerberos = kerberos;
        this.owner = owner;
        this.files = files;
        this.cluster = cluster;
        String home = staging.stagingDirectory().map(HadoopSession::pathOf).orElseGet(files::home);
        this.stagingRoot = home + "/.hearthStaging";
        this.storeRoot = staging.storeDirectory().map(HadoopSession::pathOf).orElse(home + "/.hearth/store");
    }

    private static String pathOf(String address) {
        String path = new Path(address).toUri().getPath();
        return path.endsWith("/") && path.length() > 1 ? path.substring(0, path.length() - 1) : path;
    }

    /** Opens a session with the cluster of {@code site}; fails with {@code BAD_SETTING} if no user can log in. */
    public static HadoopSession open(
            HadoopRuntime runtime,
            HadoopSite site,
            Settings settings,
            StagingSettings staging,
            KerberosSettings kerberos)
            throws IOException {
        Configuration configuration = runtime.configuration(settings, site.directories());
        site.overrides().forEach((key, value) -> configuration.set(key, value, "master URL"));
        if (configuration.get(RETRY, "30000").equals("30000")) {
            configuration.set(RETRY, "1000", "Hearth");
        }
        AuditMark.keep(settings, configuration);
        UserGroupInformation owner = runtime.user(settings, configuration);
        return UserCall.as(
                owner,
                () -> new HadoopSession(
                        runtime,
                        configuration,
                        kerberos,
                        owner,
                        new HadoopStoreFiles(
                                staging.storeDirectory()
                                        .or(staging::stagingDirectory)
                                        .orElse("/"),
                                configuration),
                        new HadoopYarnCluster(configuration, owner),
                        staging));
    }

    /** Hadoop's configuration itself. */
    public Configuration hadoopConfiguration() {
        return configuration;
    }

    @Override
    public HadoopYarnCluster cluster() {
        return cluster;
    }

    @Override
    public void mark(String application) {
        AuditMark.set(configuration, AuditMark.Caller.CLIENT, application, Optional.empty());
    }

    @Override
    public ContainerLogs logs() {
        return cluster.logs(configuration, owner);
    }

    @Override
    public StoreFiles files() {
        return files;
    }

    @Override
    public String stagingRoot() {
        return stagingRoot;
    }

    @Override
    public String storeRoot() {
        return storeRoot;
    }

    @Override
    public String user() {
        return owner.getShortUserName();
    }

    @Override
    public Optional<String> hadoop(String key) {
        return Optional.ofNullable(configuration.get(key));
    }

    @Override
    public Bytes configuration() {
        Map<String, String> values = new TreeMap<>();
        for (Map.Entry<String, String> entry : configuration) {
            String[] sources = configuration.getPropertySources(entry.getKey());
            boolean isDefault = sources != null && sources[sources.length - 1].endsWith("-default.xml");
            if (!isDefault && !isSecret(entry.getKey())) {
                values.put(entry.getKey(), entry.getValue());
            }
        }
        return SiteText.of(values);
    }

    private static boolean isSecret(String key) {
        return Secrets.isSecret(key);
    }

    @Override
    public Bytes tokens(Collection<URI> addresses) throws IOException {
        return tokensOf(addresses, Ticker.system()).make().content();
    }

    /** Source of tokens for the file system of the staging directory and those of {@code addresses}. */
    public HadoopTokens tokensOf(Collection<URI> addresses, Ticker ticker) {
        Set<URI> systems = new LinkedHashSet<>();
        systems.add(files.system().getUri());
        systems.addAll(addresses);
        return new HadoopTokens(runtime, owner, configuration, kerberos, systems, ticker);
    }

    /** The user of Hadoop for whom the session is. */
    public UserGroupInformation owner() {
        return owner;
    }

    @Override
    public Optional<String> path(URI address) {
        URI system = qualified(address, FileSystem.getDefaultUri(configuration));
        return isSame(system, files.system().getUri()) ? Optional.of(address.getPath()) : Optional.empty();
    }

    /** The address with the host of the default file system, if it names none and has its scheme. */
    static URI qualified(URI address, URI ofDefault) {
        boolean isShort = address.getAuthority() == null
                && ofDefault.getAuthority() != null
                && ofDefault.getScheme().equalsIgnoreCase(address.getScheme());
        return isShort ? ofDefault.resolve(address.getPath()) : address;
    }

    /** Whether two addresses are on one file system: the same scheme, host and port. */
    static boolean isSame(URI one, URI other) {
        return one.getScheme() != null
                && one.getScheme().equalsIgnoreCase(other.getScheme())
                && String.valueOf(one.getAuthority()).equalsIgnoreCase(String.valueOf(other.getAuthority()));
    }

    @Override
    public InputStream open(URI address) throws IOException {
        FileSystem system = UserCall.as(owner, () -> FileSystem.newInstance(address, configuration));
        try {
            return new FilterInputStream(system.open(new Path(address))) {
                @Override
                public void close() throws IOException {
                    super.close();
                    system.close();
                }
            };
        } catch (IOException failure) {
            system.close();
            throw failure;
        }
    }

    @Override
    public void close() {
        cluster.close();
        try {
            files.close();
        } catch (IOException unclosed) {
            throw ErrorCode.INTERNAL.failure(
                    "session with the cluster: " + unclosed.getMessage() + " (expected: closed)", unclosed);
        }
    }
}
