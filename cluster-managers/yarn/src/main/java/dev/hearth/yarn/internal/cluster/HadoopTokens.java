package dev.hearth.yarn.internal.cluster;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.time.Ticker;
import dev.hearth.yarn.internal.hadoop.UserCall;
import dev.hearth.yarn.internal.settings.KerberosSettings;
import dev.hearth.yarn.internal.settings.RenewalSettings;
import dev.hearth.yarn.internal.tokens.TokenSet;
import dev.hearth.yarn.internal.tokens.TokenSource;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.security.token.delegation.AbstractDelegationTokenIdentifier;
import org.apache.hadoop.yarn.client.util.YarnClientUtils;

/**
 * Makes the delegation tokens of one application, for the file systems that it uses, as its user. Methods block; used by
 * one thread at a time, under Hadoop's class loader.
 */
public final class HadoopTokens implements TokenSource {
    private final HadoopRuntime runtime;
    private final UserGroupInformation owner;
    private final Configuration configuration;
    private final KerberosSettings kerberos;
    private final Ticker ticker;
    private final Set<URI> systems = new LinkedHashSet<>();
    private Optional<Duration> interval = Optional.empty(); // of a renewal; found out once
    private boolean measured;

    /** Tokens for the default file system, those of the settings, and those of {@code addresses}. */
    public HadoopTokens(
            HadoopRuntime runtime,
            UserGroupInformation owner,
            Configuration configuration,
            KerberosSettings kerberos,
            Collection<URI> addresses,
            Ticker ticker) {
        this.runtime = runtime;
        this.owner = owner;
        this.configuration = configuration;
        this.kerberos = kerberos;
        this.ticker = ticker;
        systems.add(FileSystem.getDefaultUri(configuration));
        systems.addAll(addresses);
        kerberos.fileSystems().forEach(text -> systems.add(URI.create(text)));
    }

    /** Whether the cluster needs tokens, and the settings allow them. */
    public boolean areNeeded() {
        return areNeeded(kerberos, configuration);
    }

    /** Whether a cluster with {@code configuration} needs tokens, and the settings allow them. */
    public static boolean areNeeded(KerberosSettings kerberos, Configuration configuration) {
        return kerberos.fetchesFileTokens()
                && "kerberos".equalsIgnoreCase(configuration.get("hadoop.security.authentication"));
    }

    /** New tokens, which the ResourceManager may renew until they end; none if the cluster needs none. */
    public TokenSet make() throws IOException {
        if (!areNeeded()) {
            return new TokenSet(Bytes.EMPTY, Optional.empty());
        }
        Credentials made = made(YarnClientUtils.getRmPrincipal(configuration));
        return new TokenSet(content(made), untilEnd(made, ticker.wall()));
    }

    /**
     * Whether this process can make tokens again: by a keytab, or by a ticket cache if the settings say that it is kept
     * fresh.
     */
    public boolean areRenewable() {
        boolean mayUse = kerberos.identity().hasKeytab() || kerberos.renewal().login() == RenewalSettings.Login.CCACHE;
        return mayUse && real().hasKerberosCredentials();
    }

    private UserGroupInformation real() {
        return owner.getRealUser() == null ? owner : owner.getRealUser();
    }

    @Override
    public Optional<Ticket> relogin() throws IOException {
        UserGroupInformation real = real();
        if (real.isFromKeytab()) {
            real.checkTGTAndReloginFromKeytab();
        } else {
            real.reloginFromTicketCache();
        }
        return runtime.ticket(real)
                .map(ticket -> new Ticket(
                        real.getUserName(),
                        ticket.begin().toEpochMilli(),
                        ticket.end().toEpochMilli()));
    }

    /** New tokens and the time for which they are valid. Finds that out by a renewal of a second set, the first time. */
    @Override
    public TokenSet fetch() throws IOException {
        Credentials made = made(YarnClientUtils.getRmPrincipal(configuration));
        if (!measured) {
            interval = UserCall.as(owner, () -> shortestRenewal(made(owner.getShortUserName())));
            measured = true;
        }
        return new TokenSet(content(made), shorter(interval, untilEnd(made, ticker.wall())));
    }

    /** The file systems for which tokens are made. */
    Set<URI> systems() {
        return Collections.unmodifiableSet(systems);
    }

    private Credentials made(String renewer) throws IOException {
        Credentials credentials = new Credentials();
        for (URI system : systems) {
            boolean renewed =
                    kerberos.notRenewed().stream().noneMatch(text -> HadoopSession.isSame(URI.create(text), system));
            UserCall.as(owner, () -> {
                try (FileSystem opened = FileSystem.newInstance(system, configuration)) {
                    return opened.addDelegationTokens(renewed ? renewer : "", credentials);
                } catch (UnsupportedFileSystemException none) {
                    if (kerberos.fileSystems().contains(system.toString())) {
                        throw none;
                    }
                    return new Token<?>[0]; // an address such as local: has no tokens
                }
            });
        }
        return credentials;
    }

    /** Renews and cancels {@code probe}; the shortest time that a renewal gives. */
    private Optional<Duration> shortestRenewal(Credentials probe) throws IOException, InterruptedException {
        Optional<Duration> shortest = Optional.empty();
        for (Token<? extends TokenIdentifier> token : probe.getAllTokens()) {
            if (token.isManaged()
                    && token.decodeIdentifier() instanceof AbstractDelegationTokenIdentifier identifier
                    && !identifier.getRenewer().toString().isEmpty()) {
                Duration valid = Duration.ofMillis(token.renew(configuration) - identifier.getIssueDate());
                shortest = shorter(shortest, Optional.of(valid));
                token.cancel(configuration);
            }
        }
        return shortest;
    }

    private static Optional<Duration> shorter(Optional<Duration> one, Optional<Duration> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        return one.get().compareTo(other.get()) <= 0 ? one : other;
    }

    /** The tokens of the file {@code content}, and the time from {@code now} until the first of them ends even if it is renewed. */
    public static TokenSet read(Bytes content, Instant now) throws IOException {
        Credentials credentials = new Credentials();
        if (content.size() > 0) {
            credentials.readTokenStorageStream(new DataInputStream(content.stream()));
        }
        return new TokenSet(content, untilEnd(credentials, now));
    }

    private static Optional<Duration> untilEnd(Credentials credentials, Instant now) throws IOException {
        Optional<Duration> first = Optional.empty();
        for (Token<? extends TokenIdentifier> token : credentials.getAllTokens()) {
            if (token.decodeIdentifier() instanceof AbstractDelegationTokenIdentifier identifier) {
                first = shorter(first, Optional.of(Duration.ofMillis(identifier.getMaxDate() - now.toEpochMilli())));
            }
        }
        return first;
    }

    private static Bytes content(Credentials credentials) throws IOException {
        DataOutputBuffer out = new DataOutputBuffer();
        credentials.writeTokenStorageToStream(out);
        byte[] bytes = new byte[out.getLength()];
        System.arraycopy(out.getData(), 0, bytes, 0, bytes.length);
        return Bytes.owning(bytes);
    }
}
