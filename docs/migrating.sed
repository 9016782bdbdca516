# Converts Java sources from Spark's API to Hearth's. docs/migrate runs it over the files that mention Spark or scala.
# For GNU sed -E. What is left to be done by hand is listed in docs/migrating.md.

# Imports: whole packages, once for each that was named.
s/^import org\.apache\.spark\.api\.java\.function\..*;/import dev.hearth.api.function.*;/
s/^import org\.apache\.spark\.util\.(Long|Double|Collection|)Accumulator(V2)?;/import dev.hearth.api.accumulator.*;/
s/^import org\.apache\.spark\.(Barrier)?TaskContext;/import dev.hearth.api.task.*;/
s/^import org\.apache\.spark\.util\.TaskCompletionListener;/import dev.hearth.api.task.*;/
s/^import org\.apache\.spark\.input\.PortableDataStream;/import dev.hearth.api.BinaryFile;/
s/^import org\.apache\.spark\..*;/import dev.hearth.api.*;/
s/^import scala\.Tuple.*;/import dev.hearth.api.*;/
/^import org\.apache\.hadoop\.io\.compress\..*;/d

# How a context is opened and closed.
s/\.read\(\)\.textFile\(([^()]*)\)\.javaRDD\(\)/.textFile(\1)/g
s/new JavaSparkContext\((\w+)\.sparkContext\(\)\)/\1/g
s/new JavaSparkContext\((new SparkConf\(\)(\.\w+\([^()]*(\([^()]*\)[^()]*)*\))*)\)/\1.open()/g
s/new JavaSparkContext\(\)/HearthContext.builder().open()/g
s/new JavaSparkContext\(([^(),]+), ([^(),]+), (\w+|new SparkConf\(\)(\.\w+\([^()]*\))*)\)/\3.master(\1).name(\2).open()/g
s/new JavaSparkContext\(([^(),]+), ([^(),]+)\)/HearthContext.builder().master(\1).name(\2).open()/g
s/new JavaSparkContext\((\w+)\)/\1.open()/g
s/new SparkConf\(\)/HearthContext.builder()/g
s/\bSparkConf\b/HearthContext.Builder/g
s/\b(SparkSession|JavaSparkContext)\b/HearthContext/g
s/\.(setAppName|appName)\(([^)])/.name(\2/g
s/\.setMaster\(/.master(/g
s/\.(set|config)\("spark\./.setting("spark./g
s/\.config\(/.setting(/g
s/\b(conf|\w*Conf)\.set\(/\1.setting(/g
/HearthContext\.builder\(\)/s/\.set\(/.setting(/g
s/^( +)\.set\(/\1.setting(/
s/\.getOrCreate\(\)/.open()/g
s/\b(sc|jsc|ctx|context|spark|sparkContext|javaSparkContext)\.stop\(\)/\1.close()/g
s/\.sc\(\)\./\./g
/^ *\w+\.setLogLevel\(.*\);$/d

# Datasets and what they hold.
s/\bJavaRDD\b/Rdd/g
s/\bJavaPairRDD\b/PairRdd/g
s/\bJavaDoubleRDD\b/DoubleRdd/g
s/\bJavaFutureAction\b/JobFuture/g
s/\bJavaSparkStatusTracker\b/StatusTracker/g
s/\bSpark(Job|Stage|Executor)Info\b/StatusTracker.\1Status/g
s/\bJobExecutionStatus\b/StatusTracker.State/g
s/\bStatCounter\b/Statistics/g
s/\bBoundedDouble\b/Estimate/g
s/\bStorageLevels\b/StorageLevel/g
s/\bTuple2\b/Pair/g
s/\bTuple3\b/Triple/g
s/\bTuple4\b/Quad/g
s/\bIterables\.size\(([^()]+(\(\))?)\)/\1.size()/g
s/\b(Pair|Tuple2)(<[^<>]*>)?::_1\b/Pair::key/g
s/\b(Pair|Tuple2)(<[^<>]*>)?::_2\b/Pair::value/g
s/\._1\b(\(\))?/.key()/g
s/\._2\b(\(\))?/.value()/g
s/\._3\b(\(\))?/.third()/g
s/\._4\b(\(\))?/.fourth()/g
s/\bIterable</List</g
s/\bOptional</Option</g
s/\bOptional\.absent\(\)/Option.empty()/g
s/\bOptional\.fromNullable\(/Option.ofNullable(/g
s/\bOptional\.(empty|of|ofNullable)\(/Option.\1(/g

# Functions: of two arguments by what they do; filters test.
s/\bFunction2<([^<>,]+(<[^<>]*>)?), \1, \1>/ReduceFunction<\1>/g
s/\bFunction2<Integer, Iterator<([^<>]+)>, Iterator<([^<>]+)>>/IndexedPartitionFunction<\1, \2>/g
s/\bFunction2<([^<>,]+(<[^<>]*>)?), ([^<>,]+(<[^<>]*>)?), \1>/AddFunction<\1, \3>/g
s/\bPairFlatMapFunction<(.*), ([^<>,]+), ([^<>,]+)>/FlatMapFunction<\1, Pair<\2, \3>>/g
s/\bFlatMapFunction<Iterator<([^<>]+)>, /PartitionFunction<\1, /g
s/\bFlatMapFunction2<Iterator<([^<>]+(<[^<>]*>)?)>, Iterator<([^<>]+(<[^<>]*>)?)>, /ZipFunction<\1, \3, /g
s/\bFlatMapFunction2\b/ZipFunction/g
s/\bVoidFunction\b/ActionFunction/g
/\.(keyBy|groupBy|sortBy|map|mapValues)\(new Function</s/\bFunction</MapFunction</g
s/\bFunction<([^<>,]+(<[^<>]*(<[^<>]*>)?[^<>]*>)?), Boolean>/FilterFunction<\1>/g
s/\bFunction</MapFunction</g
s/\bpublic Boolean call\(/public boolean test(/g
s/\bpublic void call\(/public void accept(/g
s/\bpublic (.+) call\(/public \1 apply(/g

# Methods of another name, or with their arguments in another order.
s/\.(reduceByKey|groupByKey)\((new HashPartitioner\([^()]*\)), (.*[^)]|.*\(\))\)/.\1(\3, \2)/g
s/\.setName\(/.named(/g
s/\.getNumPartitions\(\)/.partitions()/g
s/\.getStorageLevel\(\)/.storageLevel()/g
s/\.emptyRDD\(\)/.emptyRdd()/g
s/\.appName\(\)/.applicationName()/g
s/\.setCheckpointDir\(/.checkpointDirectory(/g
s/\.setLocalProperty\(/.localProperty(/g
s/\.setJobDescription\(/.jobDescription(/g
s/\.setJobGroup\(/.jobGroup(/g
s/\.setCallSite\(/.callSite(/g
s/\.clearCallSite\(\)/.callSite(null)/g
s/\.getLocalProperty\(([^()]*)\)/.localProperty(\1).orElse(null)/g
s/\.getJobTags\(\)/.jobTags()/g
s/\.getCheckpointDir\(\)/.checkpointDirectory()/g
s/\.sparkUser\(\)/.user()/g
s/\.getPersistentRDDs\(\)/.persistedDatasets()/g
s/\.getConf\(\)\.get\(([^(),]+), /.settings().getOrDefault(\1, /g
s/\.getConf\(\)/.settings()/g
s/\.settings\(\)\.get(OrDefault)?\("spark\./.settings().get\1("hearth./g
s/\b(Gzip|GZip)Codec\.class/"gz"/g
s/\bBZip2Codec\.class/"bz2"/g
s/\b(Default|Deflate)Codec\.class/"deflate"/g
s/\bZStandardCodec\.class/"zst"/g
s/\.(count|countByKey|countByValue|sum|mean)Approx\((\w+)([,)])/.\1Approx(java.time.Duration.ofMillis(\2)\3/g
s/\.initialValue\(\)/.initial()/g
s/\.isInitialValueFinal\(\)/.isFinal()/g
s/\.getFinalValue\(\)/.last()/g

# What jobs do: arrays of numbers stay arrays.
s/\.jobIds\(\)/.jobs()/g
s/\.stageIds\(\)\[([^]]*)\]/.stages().get(\1)/g
s/\.stageIds\(\)\.length\b/.stages().size()/g
s/\.stageIds\(\)/.stages()/g
s/\.getJobInfo\(([^()]*(\([^()]*\)[^()]*)*)\)/.job(\1).orElse(null)/g
s/\.getStageInfo\(([^()]*(\([^()]*\)[^()]*)*)\)/.stage(\1).orElse(null)/g
s/\.getJobIdsForGroup\(([^()]*)\)/.jobsOfGroup(\1).stream().mapToInt(Integer::intValue).toArray()/g
s/\.getJobIdsForTag\(([^()]*)\)/.jobsWithTag(\1).stream().mapToInt(Integer::intValue).toArray()/g
s/\.getActiveJobIds\(\)/.activeJobs().stream().mapToInt(Integer::intValue).toArray()/g
s/\.getActiveStageIds\(\)/.activeStages().stream().mapToInt(Integer::intValue).toArray()/g
s/\b(\w*[jJ]ob\w*)\.status\(\)/\1.state()/g
s/\.(job|stage)Id\(\)/.id()/g
s/\.currentAttemptId\(\)/.attempt()/g
s/\.submissionTime\(\)/.submittedMillis()/g
s/\.numTasks\(\)/.tasks()/g
s/\.num(Active|Completed|Failed)Tasks\(\)/.\l\1Tasks()/g

# What tasks ask, and streams of binary files.
s/\bPortableDataStream\b/BinaryFile/g
s/\.binaryFiles\(/.binaryStreams(/g
s/\bDataInputStream (\w+) = (\w+)\.open\(\)/DataInputStream \1 = new DataInputStream(\2.open())/g
s/\.getPath\(\)/.path()/g
s/\b(\w*[cC]ontext|tc|TaskContext\.get\(\))\.partitionId\(\)/\1.partition()/g
s/\b(\w*[cC]ontext|tc|TaskContext\.get\(\))\.stageId\(\)/\1.stage()/g
s/\b(\w*[cC]ontext|tc|TaskContext\.get\(\))\.stageAttemptNumber\(\)/\1.stageAttempt()/g
s/\b(\w*[cC]ontext|tc|TaskContext\.get\(\))\.attemptNumber\(\)/\1.attempt()/g
s/\b(\w*[cC]ontext|tc|TaskContext\.get\(\))\.taskAttemptId\(\)/\1.taskId()/g
s/\b(\w*[cC]ontext|tc|TaskContext\.get\(\))\.numPartitions\(\)/\1.partitions()/g
s/\b(\w*[cC]ontext|tc|TaskContext\.get\(\))\.taskMetrics\(\)/\1.metrics()/g
s/\.addTaskCompletionListener\(/.onCompletion(/g

# The rest.
s/\bextends Partitioner\b/implements Partitioner/g
s/\bStorageLevel\.OFF_HEAP\b/StorageLevel.MEMORY_AND_DISK_SER/g
s/\bStorageLevel\.(\w+)\(\)/StorageLevel.\1/g
s/\bCollectionAccumulator<([^<>]*)>/Accumulator<\1, List<\1>>/g
s/\bTaskContext\.getPartitionId\(\)/TaskContext.current().partition()/g
s/\bTaskContext\.get\(\)\.id\(\)/TaskContext.current().stage()/g
s/\bTaskContext\.get\(\)/TaskContext.current()/g
s/\bSparkFiles\.get\(([^()]*)\)/HearthFiles.path(\1).toString()/g
s/\bSparkException\b/HearthException/g
s/\bint numPartitions\(\)/int partitions()/g
s/\bint getPartition\(/int partition(/g
