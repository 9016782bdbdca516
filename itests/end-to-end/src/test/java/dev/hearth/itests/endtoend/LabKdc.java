package dev.hearth.itests.endtoend;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * KDC of MIT Kerberos on this machine, on the loopback interface alone, with principals of Hadoop's daemons and of users.
 * It ends with the test's process, even if that is killed. Owned by one test class.
 */
final class LabKdc implements AutoCloseable {
    static final String REALM = "EXAMPLE.COM";
    /** User whom Hadoop lets impersonate all others. */
    static final String SUPER = "super";
    /** User of the file system's daemons, who may do everything there. */
    static final String FILES = "hdfs/localhost";

    private static final String HOST = "127.0.0.1";
    private static final List<String> PRINCIPALS =
            List.of(FILES, "rm/localhost", "nm/localhost", "HTTP/localhost", SUPER, "alice", "bob");
    private static final List<String> BINARIES = List.of("krb5kdc", "kdb5_util", "kadmin.local", "kinit");
    private static final List<String> DIRECTORIES =
            List.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin");
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int TOOL_SECONDS_MAX = 60;
    private static final String LIFE_LINE = "\"$@\" < /dev/null > /dev/null 2>&1 & cat > /dev/null; kill -9 $!";

    private final Path directory;
    private final int port;
    private Optional<Process> running = Optional.empty();

    private LabKdc(Path directory, int port) {
        this.directory = directory;
        this.port = port;
    }

    /** Makes a realm in {@code directory} and starts its KDC; fails with the reason if the package is missing. */
    static LabKdc start(Path directory) throws Exception {
        LabKdc kdc = new LabKdc(Files.createDirectories(directory), FreePort.draw());
        kdc.configure();
        kdc.run("kdb5_util", "-r", REALM, "-P", "of-the-laboratory", "create", "-s");
        List<String> commands = new ArrayList<>();
        for (String principal : PRINCIPALS) {
            commands.add("addprinc -randkey " + principal);
            commands.add("ktadd -k " + kdc.keytab(principal) + " " + principal);
        }
        Path script = Files.write(directory.resolve("principals"), commands);
        kdc.run("sh", "-c", "exec " + binary("kadmin.local") + " -r " + REALM + " < '" + script + "'");
        kdc.start();
        return kdc;
    }

    private void configure() throws IOException {
        Files.writeString(configuration(), """
                [libdefaults]
                 default_realm = %s
                 dns_lookup_kdc = false
                 dns_lookup_realm = false
                 dns_canonicalize_hostname = false
                 rdns = false
                 udp_preference_limit = 1
                 ticket_lifetime = 1h
                [realms]
                 %s = {
                  kdc = %s:%d
                 }
                """.formatted(REALM, REALM, HOST, port));
        Files.writeString(
                directory.resolve("kdc.conf"), """
                [kdcdefaults]
                 kdc_listen = %s:%d
                 kdc_tcp_listen = %s:%d
                [realms]
                 %s = {
                  database_name = %s/principal
                  key_stash_file = %s/stash
                  supported_enctypes = aes128-cts-hmac-sha1-96:normal
                 }
                """.formatted(HOST, port, HOST, port, REALM, directory, directory));
    }

    /** The krb5.conf of the realm. */
    Path configuration() {
        return directory.resolve("krb5.conf");
    }

    /** Keytab with the key of {@code principal} alone. */
    Path keytab(String principal) {
        return directory.resolve(principal.replace('/', '-') + ".keytab");
    }

    /** Variables of a process that has a fresh ticket of {@code principal} in a cache of its own. */
    Map<String, String> ticket(String principal, String life) throws Exception {
        Path cache = Files.createTempFile(directory, "cache", "");
        run(
                "kinit",
                "-c",
                cache.toString(),
                "-l",
                life,
                "-k",
                "-t",
                keytab(principal).toString(),
                principal);
        Map<String, String> variables = new LinkedHashMap<>(environment());
        variables.put("KRB5CCNAME", cache.toString());
        return variables;
    }

    /** Variables of a process without a ticket. */
    Map<String, String> environment() {
        return Map.of(
                "KRB5_CONFIG", configuration().toString(),
                "KRB5_KDC_PROFILE", directory.resolve("kdc.conf").toString(),
                "KRB5CCNAME", directory.resolve("no-cache").toString(),
                "JAVA_TOOL_OPTIONS", option());
    }

    /** Option by which Java finds the realm. */
    String option() {
        return "-Djava.security.krb5.conf=" + configuration();
    }

    /** The plan with daemons that ask for Kerberos, and tokens of a short life, in seconds. */
    HadoopLab.Plan secured(HadoopLab.Plan plan, int renewSeconds, int lifeSeconds) throws Exception {
        HadoopLab.Plan secured = plan;
        for (String daemon : List.of("namenode", "datanode")) {
            secured = secured.with("hdfs-site.xml", "dfs." + daemon + ".kerberos.principal", named(FILES))
                    .with(
                            "hdfs-site.xml",
                            "dfs." + daemon + ".keytab.file",
                            keytab(FILES).toString());
        }
        for (String daemon : List.of("rm", "nm")) {
            String prefix = daemon.equals("rm") ? "yarn.resourcemanager." : "yarn.nodemanager.";
            secured = secured.with("yarn-site.xml", prefix + "principal", named(daemon + "/localhost"))
                    .with(
                            "yarn-site.xml",
                            prefix + "keytab",
                            keytab(daemon + "/localhost").toString());
        }
        for (String owner : List.of(SUPER, "rm")) {
            secured = secured.with("core-site.xml", "hadoop.proxyuser." + owner + ".hosts", "*")
                    .with("core-site.xml", "hadoop.proxyuser." + owner + ".groups", "*");
        }
        return secured.with("core-site.xml", "hadoop.security.authentication", "kerberos")
                .with("core-site.xml", "hadoop.security.authorization", "true")
                .with("core-site.xml", "hadoop.security.auth_to_local", "RULE:[2:$1](.*)\nDEFAULT")
                .with("hdfs-site.xml", "dfs.block.access.token.enable", "true")
                .with("hdfs-site.xml", "ignore.secure.ports.for.testing", "true")
                .with("hdfs-site.xml", "dfs.web.authentication.kerberos.principal", named("HTTP/localhost"))
                .with(
                        "hdfs-site.xml",
                        "dfs.web.authentication.kerberos.keytab",
                        keytab("HTTP/localhost").toString())
                .with("hdfs-site.xml", "dfs.namenode.delegation.token.renew-interval", renewSeconds + "000")
                .with("hdfs-site.xml", "dfs.namenode.delegation.token.max-lifetime", lifeSeconds + "000")
                .with("yarn-site.xml", "yarn.acl.enable", "true")
                .with("yarn-site.xml", "yarn.admin.acl", "rm")
                .with("yarn-site.xml", "yarn.log-aggregation-enable", "false") // needs native code
                .in(ticket(FILES, "1h"));
    }

    private static String named(String principal) {
        return principal + "@" + REALM;
    }

    /** Starts the KDC, which may have been stopped before. */
    void start() throws Exception {
        List<String> command = List.of("sh", "-c", LIFE_LINE, "kdc", binary("krb5kdc"), "-n", "-r", REALM);
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().putAll(environment());
        running = Optional.of(builder.start());
        Eventually.until("the KDC listens", this::listens, BOUND);
    }

    private boolean listens() {
        try (Socket probe = new Socket()) {
            probe.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Ends the KDC; tickets and tokens stay valid. */
    void stop() throws IOException {
        if (running.isPresent()) {
            running.get().getOutputStream().close(); // the shell ends it
            running.get().onExit().join();
            running = Optional.empty();
        }
    }

    private static String binary(String name) {
        return DIRECTORIES.stream()
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElseThrow(() -> new AssertionError(name + ": not found in " + DIRECTORIES + " (expected: " + BINARIES
                        + "); install the packages krb5-kdc, krb5-admin-server and krb5-user"));
    }

    private void run(String name, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(name.equals("sh") ? "/bin/sh" : binary(name)));
        command.addAll(List.of(arguments));
        try (Launched launched = Launched.start(directory, environment(), command)) {
            if (launched.status(TOOL_SECONDS_MAX) != 0) {
                throw new AssertionError(command + ":\n" + launched.output() + launched.errors());
            }
        }
    }

    @Override
    public void close() throws IOException {
        stop();
    }
}
