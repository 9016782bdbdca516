package dev.hearth.yarn.internal.launch;

import java.util.Map;
import java.util.Optional;

/**
 * Options that all processes of an application in containers share: the directory of Java on the nodes, if it is not that
 * of the nodes themselves, the user for whom Hadoop acts on a cluster without Kerberos, and the access of others to the
 * containers, as {@code VIEW_APP} and {@code MODIFY_APP}. {@code limitsProcessors} says whether Java sees as many processors
 * as the executor has cores. Immutable.
 */
public record ProcessOptions(
        Optional<String> javaHome, Optional<String> hadoopUser, boolean limitsProcessors, Map<String, String> acls) {
    public ProcessOptions {
        acls = Map.copyOf(acls);
    }
}
