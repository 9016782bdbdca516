package dev.hearth.itests.architecture;

import java.util.List;

/**
 * The libraries that modules may use besides the JDK's {@code java} packages and each other; docs/dependencies.md
 * gives the reasons.
 */
@SuppressWarnings("ImmutableEnumChecker") // its lists are made by List.of and Stream.toList
enum Library {
    ANNOTATIONS("org.jspecify.annotations", "org.osgi.annotation"),
    COMPONENTS("org.osgi.service.component.annotations"),
    SLF4J("org.slf4j"),
    LOGBACK("ch.qos.logback"),
    NETTY("io.netty"),
    FELIX("org.apache.felix.framework"),
    /** The OSGi framework's interfaces, for modules that register services which cannot be declared. */
    FRAMEWORK("org.osgi.framework", "org.osgi.util.tracker"),
    GOGO("org.apache.felix.gogo", "org.apache.felix.service.command"),
    JLINE("org.jline"),
    /** Jackson's reader and writer alone; the distribution leaves out data binding. */
    JACKSON("com.fasterxml.jackson.core"),
    /** Jackson's trees of JSON and YAML, which the client of Kubernetes brings along inside its bundle. */
    JSON_TREES("com.fasterxml.jackson.databind", "com.fasterxml.jackson.dataformat.yaml"),
    /** The codecs alone; the engine's bundle leaves out their adapters to Hadoop. */
    AIRCOMPRESSOR("io.airlift.compress"),
    /** Maven's resolver, its model of repositories, and the reader of its settings files. */
    MAVEN_RESOLVER("org.eclipse.aether", "org.apache.maven", "org.codehaus.plexus", "org.sonatype.plexus"),
    KUBERNETES_CLIENT("io.fabric8"),
    /** ZooKeeper's client. */
    ZOOKEEPER("org.apache.zookeeper"),
    HADOOP("org.apache.hadoop"),
    /** The JDK's information on the machine beyond {@code java}: its memory, its limit of open files. */
    MACHINE("com.sun.management"),
    /** The JDK's management, to unregister the beans of an application. */
    MANAGEMENT("javax.management"),
    /** The JDK's TLS. */
    TLS("javax.net.ssl"),
    /** The JDK's message authentication and encryption. */
    CIPHERS("javax.crypto"),
    /** The JDK's tickets of Kerberos. */
    KERBEROS("javax.security.auth"),
    /** The JDK's XML reader. */
    XML("javax.xml.stream"),
    JUNIT("org.junit.jupiter", "org.junit.platform", "org.opentest4j"),
    /** Reads and writes class files. */
    ASM("org.objectweb.asm"),
    /** Generators of random test data. */
    JQWIK("net.jqwik");

    private final List<String> roots;

    Library(String... roots) {
        this.roots = List.of(roots);
    }

    /** The packages at the top of the library. */
    List<String> roots() {
        return roots;
    }
}
