package dev.hearth.embedded;

/** The classes of the program that contains this library. */
final class ProgramClasses {
    private ProgramClasses() {}

    /**
     * The class loader of the program: the context class loader of the thread, if it descends from the class loader of
     * this class. Otherwise it is the class loader of this class.
     */
    static ClassLoader ofThread() {
        ClassLoader own = ProgramClasses.class.getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        for (ClassLoader loader = context; loader != null; loader = loader.getParent()) {
            if (loader == own) {
                return context;
            }
        }
        return own;
    }
}
