package dev.hearth.launcher;

/** Names of settings that launchers set often, and of resources with a meaning of their own. */
public final class LauncherConstants {
    /** Application resource of an application whose classes are in further jars, or in this program. */
    public static final String NO_RESOURCE = "spark-internal";

    public static final String MASTER = "hearth.master";
    public static final String DEPLOY_MODE = "hearth.submit.deployMode";
    public static final String APPLICATION_NAME = "hearth.app.name";
    public static final String DRIVER_MEMORY = "hearth.driver.memory";
    public static final String DRIVER_CORES = "hearth.driver.cores";
    public static final String DRIVER_EXTRA_CLASS_PATH = "hearth.driver.extraClassPath";
    public static final String DRIVER_DEFAULT_JAVA_OPTIONS = "hearth.driver.defaultJavaOptions";
    public static final String DRIVER_EXTRA_JAVA_OPTIONS = "hearth.driver.extraJavaOptions";
    public static final String DRIVER_EXTRA_LIBRARY_PATH = "hearth.driver.extraLibraryPath";
    public static final String EXECUTOR_MEMORY = "hearth.executor.memory";
    public static final String EXECUTOR_CORES = "hearth.executor.cores";
    public static final String EXECUTOR_EXTRA_CLASS_PATH = "hearth.executor.extraClassPath";
    public static final String EXECUTOR_DEFAULT_JAVA_OPTIONS = "hearth.executor.defaultJavaOptions";
    public static final String EXECUTOR_EXTRA_JAVA_OPTIONS = "hearth.executor.extraJavaOptions";
    public static final String EXECUTOR_EXTRA_LIBRARY_PATH = "hearth.executor.extraLibraryPath";

    private LauncherConstants() {}
}
