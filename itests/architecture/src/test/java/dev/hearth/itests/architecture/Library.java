package dev.hearth.itests.architecture;

import java.util.List;

/** What modules may use besides the JDK's {@code java} packages and each other; the reasons stand in docs/dependencies.md. */
@SuppressWarnings("ImmutableEnumChecker") // its lists are made by List.of and Stream.toList
enum Library {
    ANNOTATIONS("org.jspecify.annotations", "org.osgi.annotation"),
    COMPONENTS("org.osgi.service.component.annotations"),
    SLF4J("org.slf4j"),
    LOGBACK("ch.qos.logback"),
    NETTY("io.netty"),
    FELIX("org.apache.felix.framework"),
    /** The framework's interfaces: whoever registers services that declarations cannot. */
    FRAMEWORK("org.osgi.framework", "org.osgi.util.tracker"),
    GOGO("org.apache.felix.gogo", "org.apache.felix.service.command"),
    JLINE("org.jline"),
    /** Its reader and writer alone: what binds objects is left out of the distribution. */
    JACKSON("com.fasterxml.jackson.core"),
    /** Its codecs, by themselves: what adapts them to Hadoop is left out of the engine's bundle. */
    AIRCOMPRESSOR("io.airlift.compress"),
    KUBERNETES_CLIENT("io.fabric8"),
    HADOOP("org.apache.hadoop"),
    /** What the JDK tells of the machine beyond {@code java}: its memory. */
    MACHINE("com.sun.management"),
    /** What an application has registered with the JDK's management, to take it back. */
    MANAGEMENT("javax.management"),
    /** The JDK's TLS. */
    TLS("javax.net.ssl"),
    /** What the JDK computes proofs with, and encrypts. */
    CIPHERS("javax.crypto"),
    /** The JDK's reader of XML. */
    XML("javax.xml.stream"),
    JUNIT("org.junit.jupiter", "org.junit.platform", "org.opentest4j"),
    /** Data drawn at random for tests. */
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
