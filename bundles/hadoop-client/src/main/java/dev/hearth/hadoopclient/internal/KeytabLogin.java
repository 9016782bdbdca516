package dev.hearth.hadoopclient.internal;

import dev.hearth.api.HearthException;
import dev.hearth.hadoopclient.api.HadoopIdentity;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.KerberosUtil;

/** Login by the key in a keytab. A fault is reported in one line, with the next step. Stateless. */
final class KeytabLogin {
    private static final Pattern ANY = Pattern.compile(".*");
    private static final int CAUSES_MAX = 16;

    /** Words of a KDC that may answer later. */
    private static final List<String> AWAY = List.of("Connection refused", "timed out", "No route to host");

    /** Problem and remedy, by a part of the words of Java or of the KDC. */
    private static final Map<String, String[]> KNOWN = known();

    private KeytabLogin() {}

    private static Map<String, String[]> known() {
        Map<String, String[]> known = new LinkedHashMap<>();
        known.put("Clock skew too great", new String[] {
            "the clocks of this machine and of the KDC differ (expected: by less than 5 minutes)", "set the clock"
        });
        known.put("Client not found in Kerberos database", new String[] {
            "not known to the KDC of its realm (expected: a principal of that realm)", "check --principal"
        });
        known.put("default realm", new String[] {
            "without a realm, and krb5.conf has no default (expected: NAME@REALM)", "add the realm to --principal"
        });
        known.put("Cannot locate KDC", new String[] {
            "krb5.conf names no KDC of its realm (expected: one in its section [realms])",
            "check the realm of --principal, or krb5.conf"
        });
        known.put("Cannot get kdc for realm", known.get("Cannot locate KDC"));
        known.put("Unable to obtain password", new String[] {
            "its keytab has no key of a type that Java accepts (expected: AES)", "make the keytab again"
        });
        for (String stale : new String[] {"Pre-authentication", "Integrity check", "Checksum failed"}) {
            known.put(stale, new String[] {
                "the KDC refuses its key (expected: the key of the latest version)", "make the keytab again"
            });
        }
        for (String away : AWAY) {
            known.put(away, new String[] {
                "the KDC does not answer (expected: at the address in krb5.conf)", "check that it runs"
            });
        }
        return known;
    }

    /** Logs in without a change of the login of the process; fails with {@code BAD_SETTING}. */
    static UserGroupInformation login(String principal, String keytab) {
        String[] names = names(keytab);
        boolean hasName = Arrays.stream(names)
                .anyMatch(name ->
                        name.equals(principal) || (!principal.contains("@") && name.startsWith(principal + "@")));
        if (!hasName) {
            throw ErrorCode.BAD_SETTING.failure(HadoopIdentity.PRINCIPAL + ": " + principal + " has no key in " + keytab
                    + " (expected: one of " + Arrays.toString(names) + "); check --principal and --keytab");
        }
        try {
            return UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal, keytab);
        } catch (IOException | IllegalArgumentException refused) {
            throw failure(principal, keytab, refused);
        }
    }

    private static String[] names(String keytab) {
        Path file = Path.of(keytab);
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw ErrorCode.BAD_SETTING.failure(HadoopIdentity.KEYTAB + ": " + keytab + ": "
                    + (Files.exists(file) ? "cannot be read" : "does not exist")
                    + " (expected: a file that this user can read); check --keytab");
        }
        try {
            return KerberosUtil.getPrincipalNames(keytab, ANY);
        } catch (IOException | RuntimeException malformed) { // its parser trusts the lengths in the file
            throw ErrorCode.BAD_SETTING.failure(
                    HadoopIdentity.KEYTAB + ": " + keytab
                            + ": is no keytab (expected: a file that ktadd or ktutil wrote);" + " check --keytab",
                    malformed);
        }
    }

    /** The failure of a login, in words for the user. */
    static HearthException failure(String principal, String keytab, Exception refused) {
        String subject = HadoopIdentity.PRINCIPAL + ": " + principal + ": ";
        Throwable cause = refused;
        String last = String.valueOf(refused.getMessage());
        for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
            String words = String.valueOf(cause.getMessage());
            for (Map.Entry<String, String[]> each : KNOWN.entrySet()) {
                if (words.contains(each.getKey())) {
                    ErrorCode code =
                            AWAY.contains(each.getKey()) ? ErrorCode.CLUSTER_UNREACHABLE : ErrorCode.BAD_SETTING;
                    return code.failure(subject + each.getValue()[0] + "; " + each.getValue()[1], refused);
                }
            }
            last = words;
            cause = cause.getCause();
        }
        return ErrorCode.BAD_SETTING.failure(
                subject + last.lines().findFirst().orElse("refused") + " (expected: a login with " + keytab + ")",
                refused);
    }
}
