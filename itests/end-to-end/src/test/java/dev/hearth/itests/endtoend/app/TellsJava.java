package dev.hearth.itests.endtoend.app;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.stream.Collectors;

/** Prints the options of its own JVM, as the JVM reports them. */
public final class TellsJava {
    private TellsJava() {}

    public static void main(String[] arguments) {
        HotSpotDiagnosticMXBean java = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        System.out.println("heap " + java.getVMOption("MaxHeapSize").getValue());
        System.out.println("tier " + java.getVMOption("TieredStopAtLevel").getValue());
        System.out.println("collectors "
                + ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(GarbageCollectorMXBean::getName)
                        .collect(Collectors.joining(",")));
        System.out.println("libraries " + System.getProperty("java.library.path"));
        for (String name : arguments) {
            System.out.println(name + " " + System.getProperty(name) + " "
                    + (TellsJava.class.getClassLoader().getResource(name) != null));
        }
    }
}
