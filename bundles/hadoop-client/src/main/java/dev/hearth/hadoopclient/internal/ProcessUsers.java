package dev.hearth.hadoopclient.internal;

import dev.hearth.hadoopclient.api.HadoopIdentity;
import dev.hearth.hadoopclient.api.TicketLife;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.SubjectUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Users of Hadoop in this process, one for each identity of its applications. The first one is the login of the process
 * too, so that code which calls Hadoop itself acts as it. Guarded by its own lock; called under Hadoop's class loader.
 */
final class ProcessUsers {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessUsers.class);
    private static final String AUTHENTICATION = "hadoop.security.authentication";
    private static final String KERBEROS = "kerberos";
    /** Begin of the principal whose tickets get those of services. */
    private static final String GRANTING = "krbtgt/";

    private final Map<HadoopIdentity, UserGroupInformation> users = new LinkedHashMap<>();

    /** The user of {@code identity}, who is logged in at the first call; fails with {@code BAD_SETTING}. */
    synchronized UserGroupInformation user(HadoopIdentity identity, Configuration configuration) throws IOException {
        boolean isSecure = KERBEROS.equalsIgnoreCase(configuration.get(AUTHENTICATION));
        if (isSecure && !UserGroupInformation.isSecurityEnabled()) {
            UserGroupInformation.setConfiguration(configuration);
        }
        UserGroupInformation known = users.get(identity);
        if (known != null) {
            return known;
        }
        UserGroupInformation real = identity.hasKeytab() && isSecure
                ? KeytabLogin.login(
                        identity.principal().orElseThrow(), identity.keytab().orElseThrow())
                : UserGroupInformation.getLoginUser();
        if (isSecure && !real.hasKerberosCredentials() && real.getTokens().isEmpty()) {
            throw ErrorCode.BAD_SETTING.failure("Kerberos: " + real.getUserName()
                    + " has no valid ticket (expected: one in " + cache()
                    + "); run kinit, or submit with --principal and --keytab");
        }
        if (identity.equals(HadoopIdentity.OF_PROCESS)) {
            return real;
        }
        UserGroupInformation user = identity.proxyUser()
                .map(name -> UserGroupInformation.createProxyUser(name, real))
                .orElse(real);
        if (users.isEmpty()) {
            UserGroupInformation.setLoginUser(user);
        } else {
            LOG.warn(
                    "{}: acts beside {} in one process; its files are its own, but code that calls Hadoop directly acts as"
                            + " the latter",
                    user.getUserName(),
                    UserGroupInformation.getLoginUser().getUserName());
        }
        users.put(identity, user);
        return user;
    }

    /** Life of the ticket of {@code user}, or of who impersonates it, that gets tickets of services. */
    static Optional<TicketLife> ticket(UserGroupInformation user) throws IOException {
        UserGroupInformation real = user.getRealUser() == null ? user : user.getRealUser();
        try {
            Subject subject = real.doAs((PrivilegedExceptionAction<Subject>) SubjectUtil::current);
            synchronized (subject.getPrivateCredentials()) { // Hadoop and the JDK add to them
                return subject.getPrivateCredentials(KerberosTicket.class).stream()
                        .filter(ticket -> !ticket.isDestroyed()
                                && ticket.getServer().getName().startsWith(GRANTING)
                                && ticket.getEndTime() != null)
                        .max(Comparator.comparing(KerberosTicket::getEndTime))
                        .map(ticket -> new TicketLife(
                                Optional.ofNullable(ticket.getStartTime())
                                        .orElse(ticket.getAuthTime())
                                        .toInstant(),
                                ticket.getEndTime().toInstant()));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static String cache() {
        String variable = System.getenv("KRB5CCNAME");
        return variable == null ? "the ticket cache of this user" : "the ticket cache " + variable;
    }
}
